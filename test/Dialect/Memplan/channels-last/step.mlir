// RUN: memplan-run %root/examples/small/unet.mlir --layout=channels-last --budget=80%% --steps=3 --check | FileCheck %s
// RUN: memplan-run %root/examples/small/resnet.mlir --layout=channels-last --precision=bf16 --budget=80%% --steps=3 --check --poison | FileCheck %s
// RUN: memplan-opt %root/examples/small/resnet.mlir --layout=channels-last --budget=80%% | FileCheck %s --check-prefix=PLAN
// RUN: memplan-opt %root/examples/small/mlp.mlir --layout=channels-last 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-opt %root/examples/small/mlp.mlir --layout=nhwc 2>&1 | FileCheck %s --check-prefix=WORD

// Layouts are chosen before planning, so that a plan has the copies in its bytes and computes what the step without a plan computes.

// CHECK: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// PLAN: memplan.conv2d {{.*}}channels_last
// PLAN: memplan.conv2d_filter_grad {{.*}}channels_last
// NONE: warning: memplan-channels-last: there is no convolution, so all values keep their layout
// WORD: layout: must be channels-first or channels-last, not 'nhwc'
