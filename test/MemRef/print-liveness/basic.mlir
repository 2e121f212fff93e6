// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-print-liveness -o /dev/null | FileCheck %s --strict-whitespace
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-print-liveness='columns=5 points=false' -o /dev/null | FileCheck %s --check-prefix=FEW --strict-whitespace

// What one reads off the picture must be what planners take. %a is read by way of %either, so that it lives until that is copied; its
// deallocation reads nothing. What is returned may be kept.
//      CHECK:@branches: 4 buffers, 15 points, peak of 768 bytes at point 10
// CHECK-NEXT:               bytes |012345678901234|
// CHECK-NEXT:%arg0            256 |===============|
// CHECK-NEXT:%alloc           256 |  #########    |
// CHECK-NEXT:%alloc_0         256 |      #####    |
// CHECK-NEXT:%alloc_1         256 |          ###??|
// CHECK-NEXT:     0  func.func: 0 bytes
// CHECK-NEXT:     1    memref.alloc: 0 bytes
// CHECK-NEXT:     2    memref.copy: 256 bytes
// CHECK-NEXT:     3    memref.alloc: 256 bytes
// CHECK-NEXT:     4    scf.if: 256 bytes
// CHECK-NEXT:     5      scf.yield: 256 bytes
// CHECK-NEXT:     6      memref.copy: 512 bytes
// CHECK-NEXT:     7      scf.yield: 512 bytes
// CHECK-NEXT:     8    end of scf.if: 512 bytes
// CHECK-NEXT:     9    memref.alloc: 512 bytes
// CHECK-NEXT:    10    memref.copy: 768 bytes, the peak
// CHECK-NEXT:    11    memref.dealloc: 256 bytes
// CHECK-NEXT:    12    memref.dealloc: 256 bytes
// CHECK-NEXT:    13    func.return: 256 bytes
// CHECK-NEXT:    14  end of func.func: 256 bytes
// FEW:@branches: 4 buffers, 15 points, peak of 768 bytes at point 10
// FEW-NEXT:               bytes |01234| a column is 3 points
// FEW-NEXT:%arg0            256 |=====|
// FEW-NEXT:%alloc           256 |#### |
// FEW-NEXT:%alloc_0         256 |  ## |
// FEW-NEXT:%alloc_1         256 |   #?|
// FEW-EMPTY:
func.func @branches(%x: memref<64xf32>, %c: i1) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %either = scf.if %c -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  %again = memref.alloc() : memref<64xf32>
  memref.copy %either, %again : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return %again : memref<64xf32>
}

// %a is made outside of the loop, and so lives throughout; %b lives within an iteration. Nobody knows the size of %dynamic.
//      CHECK:@loop: 4 buffers, 16 points, peak of 512 bytes at point 6
// CHECK-NEXT:               bytes |0123456789012345|
// CHECK-NEXT:%arg0            256 |================|
// CHECK-NEXT:%alloc           256 |    #########   |
// CHECK-NEXT:%alloc_0           ? |    #####???????|
// CHECK-NEXT:%alloc_1         256 |      ##        |
// CHECK-NEXT:     0  func.func: 0 bytes
// CHECK-NEXT:     1    arith.constant: 0 bytes
// CHECK-NEXT:     2    memref.alloc: 0 bytes
// CHECK-NEXT:     3    memref.alloc: 0 bytes
// CHECK-NEXT:     4    scf.for: 256 bytes
// CHECK-NEXT:     5      memref.alloc: 256 bytes
// CHECK-NEXT:     6      memref.copy: 512 bytes, the peak
// CHECK-NEXT:     7      memref.copy: 512 bytes, the peak
// CHECK-NEXT:     8      memref.dealloc: 256 bytes
// CHECK-NEXT:     9      foreign.keeps: 256 bytes
// CHECK-NEXT:    10      scf.yield: 256 bytes
// CHECK-NEXT:    11    end of scf.for: 256 bytes
// CHECK-NEXT:    12    memref.copy: 256 bytes
// CHECK-NEXT:    13    memref.dealloc: 0 bytes
// CHECK-NEXT:    14    func.return: 0 bytes
// CHECK-NEXT:    15  end of func.func: 0 bytes
func.func @loop(%x: memref<64xf32>, %n: index) {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %one to %n step %one {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %a : memref<64xf32> to memref<64xf32>
    memref.dealloc %b : memref<64xf32>
    "foreign.keeps"(%dynamic) : (memref<?xf32>) -> ()
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return
}
