// RUN: memplan-opt %s --memplan-set-batch=8 -o %t.short
// RUN: memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-set-batch{batch=8}))' -o %t.long
// RUN: diff %t.short %t.long
// RUN: not memplan-opt %s --memplan-set-batch 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not memplan-opt %s --memplan-set-batch=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt %s --memplan-set-batch=99999999999 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not memplan-opt %s --memplan-set-batch=many 2>&1 | FileCheck %s --check-prefix=WORD

// The short and the long form agree, and a size that cannot be a batch is refused before any work.
// MISSING: memplan-set-batch: batch is 0, but must be in [1, 1073741824]
// ZERO: memplan-set-batch: batch is 0, but must be in [1, 1073741824]
// LARGE: memplan-set-batch: batch is 99999999999, but must be in [1, 1073741824]
// WORD: no such option many
func.func @f(%x: tensor<1x4xf32> {memplan.batch = 0 : i64}) -> tensor<1x4xf32> {
  %y = memplan.relu %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
