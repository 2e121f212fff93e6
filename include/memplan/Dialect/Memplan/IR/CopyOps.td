//===- CopyOps.td - Copies to the host, streams, events ----*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COPY_OPS_TD
#define MEMPLAN_COPY_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_HostAttr : AttrDef<Memplan_Dialect, "Host"> {
  let mnemonic = "host";
  let summary = "Memory of the host";
  let description = [{
    The memory space of the host arena and of views into it. Only `memplan.evict` and `memplan.fetch` take such memrefs; every other operation of this
    dialect works on the device, whose memrefs have no memory space.

    ```mlir
    func.func private @step(memref<4096xi8> {memplan.arena}, memref<8192xi8, #memplan.host> {memplan.arena})
    ```
  }];
}

def Memplan_EventType : TypeDef<Memplan_Dialect, "Event"> {
  let mnemonic = "event";
  let summary = "Something that happens while the step runs";
  let description = [{
    The end of a copy, or of what a stream had been given up to some point. `memplan.wait` lets a stream wait for it; an event is waited for any number of times.

    ```mlir
    %done = memplan.record on stream 1
    memplan.wait %done
    ```
  }];
}

/// A memref on the device, and one on the host.
def Memplan_OnDevice : Type<CPred<"::mlir::memplan::ops::isOnDevice($_self)">, "statically shaped dense memref on the device">;
def Memplan_OnHost : Type<CPred<"::mlir::memplan::ops::isOnHost($_self)">, "statically shaped dense memref with the memory space #memplan.host">;

/// What streams wait for may have read or written any byte, so that nothing that touches memory may move across.
class Memplan_QueueOp<string mnemonic, list<Trait> traits = []>
    : Op<Memplan_Dialect, mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;

class Memplan_Copy<string mnemonic, TypeConstraint from, TypeConstraint to> : Memplan_QueueOp<mnemonic> {
  let arguments = (ins Arg<from, "what is copied", [MemRead]>:$source, Arg<to, "where it goes", [MemWrite]>:$destination,
                       Memplan_I64Default<"0">:$stream);
  let results = (outs Memplan_EventType:$event);
  let assemblyFormat = "$source `to` $destination (`on` `stream` $stream^)? attr-dict `:` type($source) `to` type($destination)";
  let hasVerifier = 1;
}

def Memplan_EvictOp : Memplan_Copy<"evict", Memplan_OnDevice, Memplan_OnHost> {
  let summary = "Starts a copy to the host";
  let description = [{
    Copies the bytes of `source` to `destination`, whose type differs in the memory space alone. Gives the event that the copy has ended.

    The copy is issued from `stream` and runs on the engine that copies to the host: after everything that was issued on that stream before, and after
    the copy that the engine was given before. What is issued later, on that stream too, does not wait for it. Until the event `source` may be read and not
    written, and `destination` neither.

    ```mlir
    %h = memref.view %host[%offset][] : memref<8192xi8, #memplan.host> to memref<4x16xf32, #memplan.host>
    %gone = memplan.evict %x to %h on stream 1 : memref<4x16xf32> to memref<4x16xf32, #memplan.host>
    memplan.wait %gone
    ```
  }];
}

def Memplan_FetchOp : Memplan_Copy<"fetch", Memplan_OnHost, Memplan_OnDevice> {
  let summary = "Starts a copy from the host";
  let description = [{
    Copies the bytes of `source` to `destination`, whose type differs in the memory space alone. Gives the event that the copy has ended.

    The copy is issued from `stream` and runs on the engine that copies from the host: after everything that was issued on that stream before, and after
    the copy that the engine was given before. What is issued later, on that stream too, does not wait for it. Until the event `destination` is
    neither read nor written, and `source` not written.

    ```mlir
    %h = memref.view %host[%offset][] : memref<8192xi8, #memplan.host> to memref<4x16xf32, #memplan.host>
    %x = memref.view %arena[%offset][] : memref<4096xi8> to memref<4x16xf32>
    %there = memplan.fetch %h to %x : memref<4x16xf32, #memplan.host> to memref<4x16xf32>
    memplan.wait %there
    ```
  }];
}

def Memplan_RecordOp : Memplan_QueueOp<"record"> {
  let summary = "What a stream has been given so far";
  let description = [{
    Gives the event that everything has ended that was issued on `stream` before: its operations, and what it waited for; copies that were issued from it
    have events of their own.

    ```mlir
    memplan.relu ins(%x : memref<4x16xf32>) outs(%y : memref<4x16xf32>) {memplan.stream = 1}
    %done = memplan.record on stream 1
    memplan.wait %done
    memplan.relu ins(%y : memref<4x16xf32>) outs(%z : memref<4x16xf32>)
    ```
  }];
  let arguments = (ins Memplan_I64Default<"0">:$stream);
  let results = (outs Memplan_EventType:$event);
  let assemblyFormat = "(`on` `stream` $stream^)? attr-dict";
  let hasVerifier = 1;
}

def Memplan_WaitOp : Memplan_QueueOp<"wait"> {
  let summary = "Lets a stream wait for an event";
  let description = [{
    What is issued on `stream` from here on, copies too, starts after `event`. What was issued before, and other streams, go on. The end of the function waits for
    everything.

    ```mlir
    %done = memplan.record on stream 1
    memplan.wait %done on stream 2
    ```
  }];
  let arguments = (ins Memplan_EventType:$event, Memplan_I64Default<"0">:$stream);
  let assemblyFormat = "$event (`on` `stream` $stream^)? attr-dict";
  let hasVerifier = 1;
}

#endif // MEMPLAN_COPY_OPS_TD
