// RUN: rm -rf %t && mkdir %t
// RUN: memplan-opt %root/examples/small/residual.mlir --backend=cpu --budget=80%% --emit=report-data -o %t/step.report.json 2>/dev/null
// RUN: memplan-run %root/examples/small/residual.mlir --budget=80%% --measurements=%t/step.measured.json
// RUN: %python %s.py %t/step.report.json %t/step.measured.json
// RUN: not memplan-run %root/examples/small/residual.mlir --measurements=%t/nowhere/step.json 2>&1 | FileCheck %s
// RUN: not memplan-run %root/examples/small/residual.mlir --report=%t/nowhere/step.html 2>&1 | FileCheck %s
// RUN: not memplan-run %root/examples/small/residual.mlir --emit-plan=%t/step.plan.json --report=%t/step.html 2>&1 | FileCheck %s --check-prefix=EMIT
// RUN: not memplan-run %root/examples/small/residual.mlir --dynamic=dtr --report=%t/step.html 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// What was measured would not be of the plan that a report shows beside it.
// CHECK: nowhere
// EMIT: --report shows a run
// DYNAMIC: --trace=FILE
