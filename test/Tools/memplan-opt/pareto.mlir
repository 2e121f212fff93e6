// RUN: rm -rf %t && mkdir %t
// RUN: memplan-opt %root/examples/small/residual.mlir --pareto=3 --pareto-plans=%t/plans -o %t/curve.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/curve.json
// RUN: memplan-opt %root/examples/small/residual.mlir --emit=graph -o %t/step.graph.json 2>/dev/null
// RUN: %python %root/utils/check_plan.py %t/step.graph.json %t/plans/01.plan.json
// RUN: not memplan-opt %root/examples/small/residual.mlir --pareto=3 --emit=plan 2>&1 | FileCheck %s --check-prefix=EMIT
// RUN: not memplan-opt %root/examples/small/residual.mlir --pareto=3 --budget=4K 2>&1 | FileCheck %s --check-prefix=BUDGET

// The curve of a program would be that of another graph than the one that is planned, or its plans be wrong.
// CHECK: budget bytes of unplanned
// CHECK-COUNT-3: by search
// JSON: "points": [
// JSON-COUNT-3: "device_bytes"
// EMIT: --pareto writes a curve and no plan, so --max-batch, --plan and --emit cannot be given too
// BUDGET: --pareto plans for all budgets, so --budget and --min-budget cannot be given too
