// Planned functions are written to files and read again: copies, events and waits must come back as they were.
// RUN: memplan-opt %s | memplan-opt | FileCheck %s
// RUN: memplan-opt %s --mlir-print-op-generic | memplan-opt | FileCheck %s

// CHECK-LABEL: func.func @copies(
// CHECK-SAME:    %[[X:[^:]*]]: memref<4x16xf32>, %[[HOST:[^:]*]]: memref<1024xi8, #memplan.host>
func.func @copies(%x: memref<4x16xf32>, %host: memref<1024xi8, #memplan.host>) {
  %c256 = arith.constant 256 : index
  // CHECK: %[[H:.*]] = memref.view %[[HOST]]
  %h = memref.view %host[%c256][] : memref<1024xi8, #memplan.host> to memref<4x16xf32, #memplan.host>
  // CHECK: %[[GONE:.*]] = memplan.evict %[[X]] to %[[H]] on stream 1 {memplan.cost = 2.500000e+00 : f64} : memref<4x16xf32> to memref<4x16xf32, #memplan.host>
  %gone = memplan.evict %x to %h on stream 1 {memplan.cost = 2.5} : memref<4x16xf32> to memref<4x16xf32, #memplan.host>
  // CHECK: memplan.wait %[[GONE]]{{$}}
  memplan.wait %gone
  // CHECK: %[[THERE:.*]] = memplan.fetch %[[H]] to %[[X]] : memref<4x16xf32, #memplan.host> to memref<4x16xf32>
  %there = memplan.fetch %h to %x : memref<4x16xf32, #memplan.host> to memref<4x16xf32>
  // CHECK: memplan.wait %[[THERE]] on stream 3
  memplan.wait %there on stream 3
  return
}

// CHECK-LABEL: func.func @events(
func.func @events(%a: memref<4xf32>, %b: memref<4xf32>) {
  // CHECK: memplan.relu ins(%{{.*}}) outs(%{{.*}}) {memplan.stream = 2}
  memplan.relu ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {memplan.stream = 2 : i64}
  // CHECK: %[[A:.*]] = memplan.record on stream 2
  %done = memplan.record on stream 2
  // CHECK: %[[B:.*]] = memplan.record{{$}}
  %other = memplan.record
  // CHECK: memplan.wait %[[A]]
  memplan.wait %done
  // CHECK: memplan.wait %[[B]] on stream 2
  memplan.wait %other on stream 2
  return
}

// An event is a type like any other.
// CHECK-LABEL: func.func private @event(!memplan.event)
func.func private @event(!memplan.event)
