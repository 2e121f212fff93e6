// RUN: rm -rf %t && mkdir %t
// RUN: memplan-opt %root/examples/small/residual.mlir --budget=80%% --emit=report-data -o %t/step.report.json 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: FileCheck %s --check-prefix=DATA --input-file=%t/step.report.json
// RUN: memplan-opt %root/examples/small/residual.mlir --budget=80%% --summary=full --perfetto=%t/trace.json -o %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %python -m json.tool %t/trace.json | FileCheck %s --check-prefix=TRACE
// RUN: memplan-opt %root/examples/small/residual.mlir --budget=80%% --summary=json -o %t/planned.mlir 2>%t/summary.json
// RUN: %python -m json.tool %t/summary.json | FileCheck %s --check-prefix=JSON
// RUN: not memplan-opt %root/examples/small/residual.mlir --emit=graph --summary=full 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not memplan-opt %root/examples/small/residual.mlir --pareto=3 --summary=full 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not memplan-opt %root/examples/small/residual.mlir --budget=1K --emit=report-data -o %t/none.report.json 2>/dev/null
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/none.report.json

// A report of a program would lack what only the program knows: modules, and why there is no plan.
// LINE: memplan-opt: @train_step: peak
// DATA: "kind": "memplan report"
// DATA: "verdict": "Fits: 
// DATA: "device_bytes": {{[0-9]+}}
// DATA: "peak": {"step": {{[0-9]+}}, "bytes":
// DATA: "module": "stem", "source": "{{.*}}residual.mlir:{{[0-9]+}}"
// DATA: "live_ranges": [
// DATA: "origin": "caller"
// DATA: "refused": [
// FULL: Fits:
// FULL: The peak is at step
// FULL: Largest tensors at the peak
// FULL: Done: {{[0-9]+}} recomputations
// TRACE: "traceEvents"
// TRACE: "name": "stream 0"
// JSON: "verdict": "Fits:
// JSON: "status":
// GRAPH: --report, --perfetto and --summary are of a plan, so --emit=graph and --pareto cannot be given too
// NONE: "verdict": "Does not fit, which is proved
// NONE: "steps": []
