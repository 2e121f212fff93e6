// RUN: memplan-opt %s --memplan-plan-memrefs='arena=argument annotate=true' | FileCheck %s --check-prefix=ARGUMENT
// RUN: memplan-opt %s --memplan-plan-memrefs='min-bytes=1025 remarks=none' | FileCheck %s --check-prefix=MIN
// RUN: memplan-opt %s --memplan-plan-memrefs='allocas=false remarks=none' | FileCheck %s --check-prefix=STACK
// RUN: memplan-opt %s --memplan-plan-memrefs='alignment=2048 remarks=none' | FileCheck %s --check-prefix=ALIGNED
// RUN: memplan-opt %s --memplan-plan-memrefs='report=- remarks=none' -o /dev/null | FileCheck %s --check-prefix=REPORT
// RUN: not memplan-opt %s --memplan-plan-memrefs='budget=2047 remarks=none' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: memplan-opt %s --memplan-plan-memrefs='budget=2K remarks=none' -o /dev/null
// RUN: not memplan-opt %s --memplan-plan-memrefs='space-budgets=1=1K remarks=none' 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not memplan-opt %s --memplan-plan-memrefs=solver=fast 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not memplan-opt %s --memplan-plan-memrefs=arena=none 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: not memplan-opt %s --memplan-plan-memrefs=alignment=3 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not memplan-opt %s --memplan-plan-memrefs=space-budgets=1:5 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-plan-memrefs{remarks=none}))' | FileCheck %s --check-prefix=ALONE

// SOLVER: error: memplan-plan-memrefs: unknown arena solver 'fast'; there are 'auto'
// ARENA: error: memplan-plan-memrefs: arena 'none' is none of 'allocate', 'argument'
// ALIGNMENT: error: memplan-plan-memrefs: alignment 3 is not a power of two
// MALFORMED: error: memplan-plan-memrefs: space-budgets: '1:5' is not SPACE=BYTES
// BUDGET: error: no arena is within the budget: 2048 bytes are live at one step in space '1'
// SPACE: error: no arena is within the budget: 2048 bytes are live at one step in space '1', above the 1024 bytes of the budget

// An arena for each memory space; that of @inner lies in the arena of @outer, which finds @inner to keep nothing.
// ARGUMENT-LABEL: func.func @outer
// ARGUMENT-SAME: memref<2048xi8>
// ARGUMENT-SAME: memref<2048xi8, 1>
// ARGUMENT: %[[INNER:.*]] = memref.view {{.*}} to memref<1024xi8>
// ARGUMENT: %[[INNER1:.*]] = memref.view {{.*}} to memref<2048xi8, 1>
// ARGUMENT: call @inner(%[[INNER]], %[[INNER1]], %{{.*}}) : (memref<1024xi8>, memref<2048xi8, 1>, memref<256xf32>) -> ()
// ARGUMENT-NOT: alloc
// ARGUMENT-LABEL: func.func private @inner
// ARGUMENT-SAME: (%[[A:.*]]: memref<1024xi8> {memplan.alignment = 4 : i64, memplan.arena}, %[[B:.*]]: memref<2048xi8, 1> {memplan.alignment = 8 : i64, memplan.arena}
// ARGUMENT-SAME: memplan.arena_bytes = 3072
// ARGUMENT: memref.view %[[A]]
// ARGUMENT: memref.view %[[B]]
// ARGUMENT-NOT: alloc

// MIN-LABEL: func.func private @inner
// MIN: memref.alloc() {alignment = 8 : i64} : memref<2048xi8, 1>
// MIN: memref.alloc() : memref<256xf32>

// STACK-LABEL: func.func @on_stack
// STACK: memref.alloca() : memref<4xf32>
// ALIGNED-LABEL: func.func private @inner
// ALIGNED: memref.alloc() {alignment = 2048 : i64}

// Where all of an arena was on the stack, it stays there.
// ARGUMENT-LABEL: func.func @recursive
// ARGUMENT: memref.alloc() {alignment = 4 : i64} : memref<16xi8>
// ALONE-LABEL: func.func @on_stack
// ALONE: memref.alloca() {alignment = 4 : i64} : memref<16xi8>
// ALONE-NOT: dealloc
// ALONE: return

//      REPORT: "arena_bytes": 1024,
// REPORT-NEXT: "bound_bytes": 1024,
// REPORT-NEXT: "buffers": 2,
// REPORT-NEXT: "function": "inner",
// REPORT-NEXT: "kept": 0,
// REPORT-NEXT: "optimal": true,
// REPORT-NEXT: "separate_bytes": 2048,
// REPORT-NEXT: "solver": "auto",
// REPORT-NEXT: "space": ""

func.func @outer(%x: memref<256xf32>) {
  %a = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<256xf32> to memref<256xf32>
  func.call @inner(%a) : (memref<256xf32>) -> ()
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  memref.dealloc %a : memref<256xf32>
  return
}

func.func private @inner(%x: memref<256xf32>) {
  %a = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<256xf32> to memref<256xf32>
  %wide = memref.alloc() : memref<256xf64, 1>
  %one = arith.constant 1.0 : f64
  %i = arith.constant 1 : index
  memref.store %one, %wide[%i] : memref<256xf64, 1>
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  memref.dealloc %a : memref<256xf32>
  memref.dealloc %wide : memref<256xf64, 1>
  %b = memref.alloc() : memref<256xf32>
  memref.copy %x, %b : memref<256xf32> to memref<256xf32>
  memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  memref.dealloc %b : memref<256xf32>
  return
}

func.func @on_stack(%x: memref<4xf32>) {
  %a = memref.alloca() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}

func.func @recursive(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call @recursive(%x) : (memref<4xf32>) -> ()
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
