// RUN: memplan-opt %s --memplan-plan-memrefs=remarks=none | FileCheck %s
// RUN: memplan-opt %s --memplan-plan-memrefs='remarks=none solver=best-fit ranges=allocations' | FileCheck %s --check-prefix=PEER

// Every situation that LLVM's static memory planner takes must be taken, in no more bytes; PEER is its ranges and its best fit.

// CHECK-LABEL: func.func @one_after_the_other
// CHECK: memref.alloc() {alignment = 4 : i64} : memref<4096xi8>
// CHECK-NOT: dealloc{{.*}}xf32
// PEER-LABEL: func.func @one_after_the_other
// PEER: memref.alloc() {alignment = 4 : i64} : memref<4096xi8>
func.func @one_after_the_other(%x: f32, %i: index) {
  %a = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%i] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  %b = memref.alloc() : memref<512xf32>
  memref.store %x, %b[%i] : memref<512xf32>
  memref.dealloc %b : memref<512xf32>
  return
}

// By program order the last one finds no gap; and it lives from its first access on only, when %c is done.
// CHECK-LABEL: func.func @interleaved
// CHECK: memref<8192xi8>
// PEER-LABEL: func.func @interleaved
// PEER: memref<12288xi8>
func.func @interleaved(%x: f32, %i: index) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<512xf32>
  memref.store %x, %a[%i] : memref<1024xf32>
  memref.store %x, %b[%i] : memref<512xf32>
  memref.dealloc %a : memref<1024xf32>
  %c = memref.alloc() : memref<1536xf32>
  memref.store %x, %c[%i] : memref<1536xf32>
  memref.store %x, %b[%i] : memref<512xf32>
  memref.store %x, %c[%i] : memref<1536xf32>
  memref.dealloc %b : memref<512xf32>
  %d = memref.alloc() : memref<1024xf32>
  memref.dealloc %c : memref<1536xf32>
  memref.store %x, %d[%i] : memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  return
}

// Alignments of buffers hold, and the arena has all of them.
// CHECK-LABEL: func.func @alignments
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<268xi8>
// CHECK-DAG: arith.constant 0 : index
// CHECK-DAG: arith.constant 128 : index
// CHECK-DAG: arith.constant 256 : index
func.func @alignments(%x: i32, %i: index) {
  %a = memref.alloc() {alignment = 128 : i64} : memref<3xi32>
  %b = memref.alloc() {alignment = 128 : i64} : memref<3xi32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<3xi32>
  %d = memref.alloc() {alignment = 128 : i64} : memref<3xi32>
  memref.store %x, %a[%i] : memref<3xi32>
  memref.store %x, %b[%i] : memref<3xi32>
  memref.store %x, %c[%i] : memref<3xi32>
  memref.store %x, %d[%i] : memref<3xi32>
  memref.store %x, %a[%i] : memref<3xi32>
  memref.store %x, %b[%i] : memref<3xi32>
  memref.store %x, %c[%i] : memref<3xi32>
  memref.dealloc %a : memref<3xi32>
  memref.dealloc %b : memref<3xi32>
  memref.dealloc %c : memref<3xi32>
  memref.dealloc %d : memref<3xi32>
  return
}

// Bytes that are looked at as wider elements are aligned for these.
// CHECK-LABEL: func.func @seen_as_wider
// CHECK: memref.alloc() {alignment = 8 : i64} : memref<22xi8>
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.view %{{.*}}[%[[ZERO]]][] : memref<22xi8> to memref<15xi8>
func.func @seen_as_wider(%x: i64, %y: i8, %i: index) {
  %odd = memref.alloc() : memref<7xi8>
  %bytes = memref.alloc() : memref<15xi8>
  %zero = arith.constant 0 : index
  %wide = memref.view %bytes[%zero][] : memref<15xi8> to memref<1xi64>
  memref.store %y, %odd[%i] : memref<7xi8>
  memref.store %x, %wide[%i] : memref<1xi64>
  memref.store %y, %odd[%i] : memref<7xi8>
  return
}

// CHECK-LABEL: func.func @freed_by_selects
// CHECK: memref<8192xi8>
// CHECK-NOT: dealloc{{.*}}xf32
// PEER-LABEL: func.func @freed_by_selects
// PEER: memref<8192xi8>
func.func @freed_by_selects(%c: i1, %x: f32, %i: index) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %one = arith.select %c, %a, %b : memref<1024xf32>
  %two = arith.select %c, %b, %a : memref<1024xf32>
  memref.store %x, %one[%i] : memref<1024xf32>
  memref.store %x, %two[%i] : memref<1024xf32>
  memref.store %x, %one[%i] : memref<1024xf32>
  memref.dealloc %one : memref<1024xf32>
  memref.dealloc %two : memref<1024xf32>
  return
}

// CHECK-LABEL: func.func @freed_in_branches
// CHECK: memref<4096xi8>
// CHECK-NOT: dealloc{{.*}}xf32
// PEER-LABEL: func.func @freed_in_branches
// PEER: memref<8192xi8>
func.func @freed_in_branches(%c: i1, %d: i1, %x: f32, %i: index) {
  %a = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%i] : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%i] : memref<1024xf32>
  scf.if %c {
    memref.dealloc %a : memref<1024xf32>
  } else {
    scf.if %d {
      memref.dealloc %a : memref<1024xf32>
    }
  }
  scf.if %d {
    memref.dealloc %b : memref<1024xf32>
  }
  return
}

// CHECK-LABEL: func.func @freed_behind_branches
// CHECK: memref<8192xi8>
// CHECK-NOT: dealloc{{.*}}xf32
func.func @freed_behind_branches(%c: i1, %d: i1, %x: f32, %i: index) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%i] : memref<1024xf32>
  memref.store %x, %b[%i] : memref<1024xf32>
  %sel = arith.select %c, %a, %b : memref<1024xf32>
  %0 = scf.if %d -> memref<1024xf32> {
    scf.yield %sel : memref<1024xf32>
  } else {
    scf.yield %a : memref<1024xf32>
  }
  memref.store %x, %0[%i] : memref<1024xf32>
  memref.dealloc %0 : memref<1024xf32>
  return
}

// A body of linalg that looks elements up runs with its operation.
// CHECK-LABEL: func.func @looked_up
// CHECK: memref<80xi8>
// CHECK: linalg.generic
func.func @looked_up(%x: f32, %at: memref<4xindex>, %to: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %table = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%table : memref<16xf32>)
  %out = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : memref<4xindex>) outs(%out : memref<4xf32>) {
  ^bb0(%place: index, %old: f32):
    %found = memref.load %table[%place] : memref<16xf32>
    linalg.yield %found : f32
  }
  memref.copy %out, %to : memref<4xf32> to memref<4xf32>
  memref.dealloc %table : memref<16xf32>
  memref.dealloc %out : memref<4xf32>
  return
}

// Refused there, taken here: in branches and loops, without a deallocation, beside one of unknown size, freed in another block, with results.
// CHECK-LABEL: func.func @beyond
// CHECK: memref<8192xi8>
// CHECK-NOT: alloc() : memref<1024xf32>
// CHECK: return %{{.*}} : f32
func.func @beyond(%c: i1, %n: index, %x: f32) -> f32 {
  %one = arith.constant 1 : index
  %never = memref.alloc() : memref<1024xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    %a = memref.alloc() : memref<1024xf32>
    memref.store %x, %a[%n] : memref<1024xf32>
    memref.dealloc %a : memref<1024xf32>
  }
  scf.for %i = %one to %n step %one {
    %b = memref.alloc() : memref<1024xf32>
    memref.store %x, %b[%n] : memref<1024xf32>
    memref.store %x, %never[%n] : memref<1024xf32>
    memref.dealloc %b : memref<1024xf32>
  }
  %far = memref.alloca() : memref<1024xf32>
  memref.store %x, %far[%n] : memref<1024xf32>
  cf.br ^next
^next:
  %y = memref.load %far[%n] : memref<1024xf32>
  memref.dealloc %dynamic : memref<?xf32>
  return %y : f32
}
