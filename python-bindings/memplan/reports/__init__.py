"""Reports: pages, traces and pictures that show where the memory of a plan goes, before anything has run.

A page is one file that needs no network. What it shows is computed by the core (`memplan_plan_report_json`) and drawn in the browser
by BokehJS, whose script it carries.
"""

from __future__ import annotations

from .page import Report, check_drawable, report, save_perfetto
from .race import BASELINES, race
from .source import ReportData, load

__all__ = ["BASELINES", "Report", "ReportData", "check_drawable", "load", "race", "report", "save_perfetto"]
