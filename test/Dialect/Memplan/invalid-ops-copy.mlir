// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// A copy that takes what is wrong would copy it, at run time, from where nothing is.

func.func @evict_to_device(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'memplan.evict' op operand #1 must be statically shaped dense memref with the memory space #memplan.host, but got 'memref<4xf32>'}}
  %0 = memplan.evict %x to %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @evict_from_host(%x: memref<4xf32, #memplan.host>, %y: memref<4xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.evict' op operand #0 must be statically shaped dense memref on the device, but got 'memref<4xf32, #memplan.host>'}}
  %0 = memplan.evict %x to %y : memref<4xf32, #memplan.host> to memref<4xf32, #memplan.host>
  return
}

// -----

func.func @evict_other_shape(%x: memref<4xf32>, %y: memref<8xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.evict' op copies 'memref<4xf32>' to 'memref<8xf32, #memplan.host>', but both must have one shape and one element type}}
  %0 = memplan.evict %x to %y : memref<4xf32> to memref<8xf32, #memplan.host>
  return
}

// -----

func.func @evict_rows(%x: memref<2x4xf32, strided<[8, 1]>>, %y: memref<2x4xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.evict' op operand #0 must be statically shaped dense memref on the device}}
  %0 = memplan.evict %x to %y : memref<2x4xf32, strided<[8, 1]>> to memref<2x4xf32, #memplan.host>
  return
}

// -----

func.func @fetch_from_device(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'memplan.fetch' op operand #0 must be statically shaped dense memref with the memory space #memplan.host}}
  %0 = memplan.fetch %x to %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @fetch_other_element(%x: memref<4xf32>, %y: memref<4xi64, #memplan.host>) {
  // expected-error @+1 {{'memplan.fetch' op copies 'memref<4xi64, #memplan.host>' to 'memref<4xf32>', but both must have one shape and one element type}}
  %0 = memplan.fetch %y to %x : memref<4xi64, #memplan.host> to memref<4xf32>
  return
}

// -----

func.func @fetch_stream(%x: memref<4xf32>, %y: memref<4xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.fetch' op attribute 'stream' is -1, but must be from 0 to 2147483647}}
  %0 = memplan.fetch %y to %x on stream -1 : memref<4xf32, #memplan.host> to memref<4xf32>
  return
}

// -----

func.func @record_stream() {
  // expected-error @+1 {{'memplan.record' op attribute 'stream' is -2, but must be from 0 to 2147483647}}
  %0 = memplan.record on stream -2
  return
}

// -----

func.func @record_large_stream() {
  // expected-error @+1 {{'memplan.record' op attribute 'stream' is 2147483648, but must be from 0 to 2147483647}}
  %0 = memplan.record on stream 2147483648
  return
}

// -----

func.func @record_type_of_stream() {
  // expected-error @+1 {{'memplan.record' op attribute 'stream' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = memplan.record {stream = 1 : i32}
  return
}

// -----

func.func @wait_stream(%event: !memplan.event) {
  // expected-error @+1 {{'memplan.wait' op attribute 'stream' is -1, but must be from 0 to 2147483647}}
  memplan.wait %event on stream -1
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @wait_for_memref(%x: memref<4xf32>) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: '!memplan.event' vs 'memref<4xf32>'}}
  memplan.wait %x
  return
}

// -----

func.func @wait_mark(%event: !memplan.event) {
  // expected-error @+1 {{attribute 'memplan.stream' on an operation must hold an i64 from 0 to 2147483647, but is -1 : i64}}
  memplan.wait %event {memplan.stream = -1 : i64}
  return
}

// -----

// Kernels do not reach the host.
func.func @kernel_on_host(%x: memref<4xf32, #memplan.host>, %y: memref<4xf32>) {
  // expected-error @+1 {{'memplan.relu' op operand #0 must be}}
  memplan.relu ins(%x : memref<4xf32, #memplan.host>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @evict_stream(%x: memref<4xf32>, %y: memref<4xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.evict' op attribute 'stream' is -1, but must be from 0 to 2147483647}}
  %0 = memplan.evict %x to %y on stream -1 : memref<4xf32> to memref<4xf32, #memplan.host>
  return
}

// -----

func.func @fetch_to_host(%x: memref<4xf32, #memplan.host>, %y: memref<4xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.fetch' op operand #1 must be statically shaped dense memref on the device, but got 'memref<4xf32, #memplan.host>'}}
  %0 = memplan.fetch %x to %y : memref<4xf32, #memplan.host> to memref<4xf32, #memplan.host>
  return
}

// -----

func.func @fetch_other_shape(%x: memref<4xf32>, %y: memref<2x2xf32, #memplan.host>) {
  // expected-error @+1 {{'memplan.fetch' op copies 'memref<2x2xf32, #memplan.host>' to 'memref<4xf32>', but both must have one shape and one element type}}
  %0 = memplan.fetch %y to %x : memref<2x2xf32, #memplan.host> to memref<4xf32>
  return
}

// -----

func.func @record_text_as_stream() {
  // expected-error @+1 {{'memplan.record' op attribute 'stream' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = memplan.record {stream = "0"}
  return
}

// -----

func.func @record_mark() {
  // expected-error @+1 {{attribute 'memplan.stream' on an operation must hold an i64 from 0 to 2147483647, but is -1 : i64}}
  %0 = memplan.record {memplan.stream = -1 : i64}
  return
}

// -----

func.func @wait_large_stream(%event: !memplan.event) {
  // expected-error @+1 {{'memplan.wait' op attribute 'stream' is 2147483648, but must be from 0 to 2147483647}}
  memplan.wait %event on stream 2147483648
  return
}

// -----

func.func @wait_type_of_stream(%event: !memplan.event) {
  // expected-error @+1 {{'memplan.wait' op attribute 'stream' failed to satisfy constraint: 64-bit signless integer attribute}}
  memplan.wait %event {stream = 1 : i32}
  return
}
