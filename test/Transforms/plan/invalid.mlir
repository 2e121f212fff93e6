// RUN: memplan-opt %s --memplan-plan="budget=1K parts=off" -verify-diagnostics

// Options are refused before any work, with the names there are.
// RUN: not memplan-opt %s --memplan-plan=remat=none 2>&1 | FileCheck %s --check-prefix=REMAT
// RUN: not memplan-opt %s --memplan-plan=arena=tight 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: not memplan-opt %s --memplan-plan=arena=none 2>&1 | FileCheck %s --check-prefix=LIVE
// RUN: not memplan-opt %s --memplan-plan=sharing=all 2>&1 | FileCheck %s --check-prefix=SHARING
// RUN: not memplan-opt %s --memplan-plan=order=random 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not memplan-opt %s --memplan-plan=budget=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt %s --memplan-plan=budget=12Q 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not memplan-opt %s --memplan-plan=alignment=3 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not memplan-opt %s --memplan-plan=effort=-1 2>&1 | FileCheck %s --check-prefix=EFFORT
// RUN: not memplan-opt %s --memplan-plan=time-limit=-1 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not memplan-opt %s --memplan-plan=cost-model=guess 2>&1 | FileCheck %s --check-prefix=COST
// RUN: not memplan-opt %s --memplan-plan=cost-model=profile:%t.none 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not memplan-opt %s --memplan-plan=plan=%t.none 2>&1 | FileCheck %s --check-prefix=PLAN
// REMAT: memplan-plan: remat: unknown remat solver 'none'; there are 'auto', 'checkpoint-all'
// ARENA: memplan-plan: arena: unknown arena solver 'tight'; there are 'auto',
// LIVE: memplan-plan: arena: 'none' plans live bytes, and the planned form needs offsets
// SHARING: memplan-plan: sharing: unknown sharing solver 'all'; there are 'auto', 'none'
// ORDER: memplan-plan: order: unknown order solver 'random'; there are 'auto', 'source'
// ZERO: memplan-plan: budget: must be above 0 bytes
// UNIT: memplan-plan: budget: size '12Q' has the unknown unit 'Q'
// ALIGN: memplan-plan: alignment: 3 is not a power of two
// EFFORT: memplan-plan: effort: must not be negative, but is -1
// TIME: memplan-plan: time-limit: must be a number of seconds, not negative, but is '-1'
// COST: memplan-plan: unknown cost model 'guess'; there are 'flops', 'roofline', 'roofline:DEVICE', 'roofline:FILE.json', 'profile:FILE'
// PROFILE: memplan-plan: cannot read the profile
// PLAN: error: cannot read the plan

// A budget that cannot be met says where it breaks, what must be live there, and what would do.
// expected-note @+3 {{works; it is known to work, not known to be the least}}
// expected-note @+2 {{always there: 256 bytes of parameters, states and inputs}}
// expected-note @+1 {{}}
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-note @+1 {{live beside it: tensor 1, 256 bytes}}
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  // expected-note @+1 {{live beside it: tensor 2, 256 bytes}}
  %1 = memplan.gelu %0 : (tensor<64xf32>) -> tensor<64xf32>
  // expected-error @+2 {{'memplan.concat' (node 2): no plan of @f fits the budget of 1.00 KiB (1024 bytes); it is proved infeasible in any order, every such plan needs at least 1.25 KiB (1280 bytes)}}
  // expected-note @+1 {{live beside it: tensor 3, 512 bytes}}
  %2 = memplan.concat %0, %1 {dim = 0} : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %3 = memplan.slice %2 {dim = 0, size = 64, start = 32} : (tensor<128xf32>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}
