// RUN: memplan-opt %s --memplan-verify-plan -split-input-file -verify-diagnostics

// Copies, streams and events. Each function breaks one rule of the planned form; a verifier that accepts one of them lets two
// queues touch the same bytes at once, or a value come back that is another. test/Bridge/test_queue_mutations.py has more.

// The second operation takes the bytes that are still copied out.
func.func @planned_c10_overwritten_while_leaving(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                                 %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                                 %x: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  // expected-note @+1 {{it is here}}
  %gone = memplan.evict %0 to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  // expected-error @+1 {{output 0 overwrites bytes [0, 256) of argument 0, which 'memplan.evict' may still use: nothing waits for it (planned_c10)}}
  memplan.tanh ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  return
}

// -----

// Another stream waits, not the one that reads.
func.func @planned_c10_read_before_it_came(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                           %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                           %x: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  %gone = memplan.evict %0 to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  memplan.wait %gone
  // expected-note @+1 {{it is here}}
  %there = memplan.fetch %h to %0 : memref<64xf32, #memplan.host> to memref<64xf32>
  memplan.wait %there on stream 1
  // expected-error @+1 {{input 0 reads bytes [0, 256) of argument 0, which 'memplan.fetch' may still use: nothing waits for it (planned_c10)}}
  memplan.relu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  return
}

// -----

// The two engines do not wait for each other.
func.func @planned_c10_fetched_before_it_left(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                              %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                              %x: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  // expected-note @+1 {{it is here}}
  %gone = memplan.evict %x to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  // expected-error @+1 {{the copy reads bytes [0, 256) of argument 1, which 'memplan.evict' may still use: nothing waits for it (planned_c10)}}
  %there = memplan.fetch %h to %1 : memref<64xf32, #memplan.host> to memref<64xf32>
  return
}

// -----

func.func @planned_c3_fetched_what_never_left(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                              %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  // expected-error @+1 {{copies bytes [0, 256) of argument 1 from the host, which hold no whole value at this point (planned_c3)}}
  %there = memplan.fetch %h to %0 : memref<64xf32, #memplan.host> to memref<64xf32>
  return
}

// -----

func.func @planned_c3_evicted_what_is_not_there(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                                %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  // expected-error @+1 {{copies bytes [0, 256) of argument 0 to the host, which hold no whole value at this point (planned_c3)}}
  %gone = memplan.evict %0 to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  return
}

// -----

// Bytes of the caller get back what they hold, and nothing else.
func.func @planned_c11_over_the_callers(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                        %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                        %x: memref<64xf32>, %y: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  %gone = memplan.evict %x to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  memplan.wait %gone
  %back = memplan.fetch %h to %x : memref<64xf32, #memplan.host> to memref<64xf32>
  // expected-error @+1 {{copies to bytes [0, 256) of argument 3, which belong to the caller and hold another value (planned_c11)}}
  %over = memplan.fetch %h to %y : memref<64xf32, #memplan.host> to memref<64xf32>
  return
}

// -----

func.func @planned_c11_fetched_beside(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                      %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                      %x: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %0 = memref.view %arena[%c128][] : memref<512xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  %gone = memplan.evict %x to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  memplan.wait %gone
  // expected-error @+1 {{copies to bytes [128, 384) of argument 0, which do not start at a multiple of the alignment 256 (planned_c11)}}
  %back = memplan.fetch %h to %0 : memref<64xf32, #memplan.host> to memref<64xf32>
  return
}

// -----

// expected-error @+1 {{argument 2 has type 'memref<64xf32, #memplan.host>'; only the host arena, argument 1, lies on the host (planned_c11)}}
func.func @planned_c11_argument_on_host(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                        %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64},
                                        %x: memref<64xf32, #memplan.host>) attributes {memplan.planned} {
  return
}

// -----

func.func @planned_c1_event_from_outside(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned} {
  %event = builtin.unrealized_conversion_cast to !memplan.event
  // expected-error @+1 {{waits for an event that neither a copy nor `memplan.record` gives (planned_c1)}}
  memplan.wait %event
  return
}

// -----

// expected-error @+1 {{`memplan.time` does not promise the 2.000000 microseconds after which all queues are done (planned_c8)}}
func.func @planned_c8_time(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 64 : i64},
                           %host: memref<256xi8, #memplan.host> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned, memplan.value_hash = array<i64: -2401331500349957573>, memplan.arena_bytes = 0 : i64, memplan.peak_bytes = 256 : i64, memplan.cost = 0.0, memplan.time = 1.0} {
  %c0 = arith.constant 0 : index
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  %gone = memplan.evict %x to %h {memplan.cost = 2.0} : memref<64xf32> to memref<64xf32, #memplan.host>
  return
}
