// RUN: memplan-run %root/examples/small/gpt2.mlir --fuse --steps=3 --check | FileCheck %s
// RUN: memplan-run %root/examples/small/gpt2.mlir --fuse --budget=85%% --effort=300 --steps=3 --check | FileCheck %s
// RUN: memplan-run %root/examples/small/gpt2.mlir --fuse --precision=bf16 --steps=3 --check | FileCheck %s
// RUN: memplan-run %root/examples/small/vgg.mlir --fuse --budget=80%% --effort=300 --layout=channels-last --steps=3 --check --poison | FileCheck %s
// RUN: memplan-opt %root/examples/small/gpt2.mlir --fuse --budget=100%% | FileCheck %s --check-prefix=FUSED
// RUN: memplan-opt %root/examples/small/vgg.mlir --fuse --budget=100%% | FileCheck %s --check-prefix=RELU
// RUN: memplan-run %root/examples/small/gpt2.mlir --fuse --budget=85%% --effort=300 --dump | FileCheck %s --check-prefix=SPLIT
// RUN: memplan-opt %root/examples/small/gpt2.mlir --fuse --budget=85%% --effort=300 --emit=program -o %t.mpp
// RUN: memplan-run %t.mpp --backend=reference --dump | FileCheck %s --check-prefix=SPLIT
// RUN: memplan-opt %root/examples/small/gpt2.mlir --backend=cpu --fuse --budget=85%% --effort=300 | FileCheck %s --check-prefix=SCRATCH
// RUN: memplan-opt %root/examples/small/gpt2.mlir --backend=cpu --fuse --budget=85%% --effort=300 --emit=plan -o %t.plan.json
// RUN: memplan-run %root/examples/small/gpt2.mlir --fuse --budget=85%% --effort=300 --emit-plan=%t.run.json
// RUN: diff %t.plan.json %t.run.json

// Fused steps are planned and compute what the step without a plan computes. Where a budget would recompute a fused operation, it is taken apart first if that takes less time.

// CHECK: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// FUSED: memplan.matmul_gelu ins
// FUSED: memplan.matmul_bias_grad ins
// FUSED: memplan.matmul_gelu_grad ins
// RELU: memplan.conv2d {{.*}}relu
// SPLIT: memplan.gelu node={{[0-9]+}}
// SPLIT: memplan.gelu node={{[0-9]+}} run=1

// What was taken apart has scratch of its own.

// SCRATCH: memplan.matmul {{.*}}memref<128xf32>) outs({{.*}}workspace({{.*}}memplan.node = [[#PRODUCT:]], transpose_rhs}
// SCRATCH-NEXT: memref.view
// SCRATCH-NEXT: memplan.gelu {{.*}}memplan.node = [[#PRODUCT+1]]}
