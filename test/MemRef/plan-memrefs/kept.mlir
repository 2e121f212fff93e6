// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-plan-memrefs --split-input-file -verify-diagnostics | FileCheck %s

// What cannot be proved safe must stay as it is, and its owner must learn why. Each function has one buffer that stays.
// CHECK-NOT: memref.view

func.func @dynamic(%n: index) {
  // expected-remark @+1 {{stays an allocation of its own: its size is known only when it runs}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

func.func @layout() {
  // expected-remark @+1 {{memref.view cannot express its layout}}
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  memref.dealloc %a : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @element() {
  // expected-remark @+1 {{the bytes of its type are not known}}
  %a = memref.alloc() : memref<4xmemref<4xf32>>
  memref.dealloc %a : memref<4xmemref<4xf32>>
  return
}

// -----

func.func @returned(%c: i1, %b: memref<4xf32>) -> memref<4xf32> {
  // expected-remark @+1 {{it is returned}}
  %a = memref.alloc() : memref<4xf32>
  %either = arith.select %c, %a, %b : memref<4xf32>
  // expected-note @+1 {{because of this}}
  return %either : memref<4xf32>
}

// -----

func.func private @elsewhere(memref<4xf32>)
func.func @called() {
  // expected-remark @+1 {{it is passed to a function that may keep or free it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{because of this}}
  func.call @elsewhere(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @unknown() {
  // expected-remark @+1 {{'foreign.keeps' may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{because of this}}
  "foreign.keeps"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Its address leaves what can be followed.
func.func @pointer() -> index {
  // expected-remark @+1 {{'memref.extract_aligned_pointer_as_index' may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{because of this}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  return %p : index
}

// -----

// The transfer goes on after it has been started.
func.func @dma(%x: memref<4xf32>, %tag: memref<1xi32>, %i: index) {
  // expected-remark @+1 {{'memref.dma_start' may keep it}}
  %a = memref.alloc() : memref<4xf32, 1>
  // expected-note @+1 {{because of this}}
  memref.dma_start %x[%i], %a[%i], %i, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  memref.dealloc %a : memref<4xf32, 1>
  return
}

// -----

func.func @inside_unknown(%x: f32, %i: index) {
  // expected-remark @+1 {{'foreign.later' may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{because of this}}
  "foreign.later"() ({
    // expected-remark @+1 {{it is allocated in 'foreign.later', of which it is not known when it runs}}
    %b = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
    memref.store %x, %b[%i] : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }) : () -> ()
  return
}

// -----

func.func @parallel(%x: f32, %i: index) {
  // expected-note @+1 {{because of this}}
  scf.parallel (%k) = (%i) to (%i) step (%i) {
    // expected-remark @+1 {{it is allocated in 'scf.parallel', whose iterations may run at once}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%k] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

// Two iterations' buffers are live at once: the one that comes and the one that is made.
func.func @carried(%n: index) {
  %one = arith.constant 1 : index
  // expected-remark @+1 {{what frees it may also free a buffer that stays}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{because of this}}
  %last = scf.for %i = %one to %n step %one iter_args(%old = %a) -> memref<4xf32> {
    // expected-remark @+1 {{'scf.for' carries it to another iteration}}
    %new = memref.alloc() : memref<4xf32>
    memref.copy %old, %new : memref<4xf32> to memref<4xf32>
    // expected-note @+1 {{because of this}}
    memref.dealloc %old : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %last : memref<4xf32>
  return
}

// -----

// Of the two that may be freed one stays, so that the deallocation does too.
func.func @freed_with(%c: i1, %b: memref<4xf32>) {
  // expected-remark @+1 {{what frees it may also free a buffer that stays}}
  %a = memref.alloc() : memref<4xf32>
  %either = arith.select %c, %a, %b : memref<4xf32>
  // expected-note @+1 {{because of this}}
  memref.dealloc %either : memref<4xf32>
  return
}
