// The one command of the README: IR on stdout, one line of summary on stderr.
// RUN: memplan-opt --remat=greedy --budget=69K %S/../../Transforms/Inputs/chain.mlir >%t.mlir 2>%t.err
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=LINE --input-file=%t.err
// RUN: wc -l < %t.err | FileCheck %s --check-prefix=ONE
// IR: memplan.budget = 70656 : i64
// IR: run = 1
// LINE: memplan-opt: @chain: peak 84.0 KiB -> {{.*}}, device {{[0-9]+}} bytes (arena {{[0-9]+}}) of budget 70656, overhead 5.77 %, optimal in this order by greedy, gap 0.00 % (fixed-order, rounded-dual), arena 1.{{[0-9]+}} of its live bytes, {{[0-9.]+}} s
// ONE: {{^ *1$}}

// Without a budget there is nothing to recompute for; without a solver a budget asks for one that recomputes.
// RUN: memplan-opt --remat=checkpoint-all %S/../../Transforms/Inputs/chain.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: memplan-opt --budget=85%% %S/../../Transforms/Inputs/chain.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT
// FREE: no budget, overhead 0.00 %
// RUN: memplan-opt --budget=85%% --order=source %S/../../Transforms/Inputs/chain.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: overhead 7.69 %, optimal in this order by search
// DEFAULT: overhead 5.77 %, optimal in this order by search, gap 0.00 % (fixed-order, rounded-dual)

// A graph that is emitted, solved elsewhere and applied gives the same bytes as the direct way, and so does a plan that is emitted.
// RUN: memplan-opt --emit=graph %S/../../Transforms/Inputs/chain.mlir -o %t.graph.json
// RUN: memplan-solve remat %t.graph.json --solver=greedy --budget=69K -o %t.plan.json
// RUN: memplan-opt --plan=%t.plan.json %S/../../Transforms/Inputs/chain.mlir -o %t.applied.mlir
// RUN: diff %t.mlir %t.applied.mlir
// RUN: memplan-opt --emit=plan --remat=greedy --budget=69K %S/../../Transforms/Inputs/chain.mlir -o %t.own.json
// RUN: diff %t.plan.json %t.own.json

