//===- Update.cu - Optimizer updates ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../UpdateSteps.h"
#include "Elements.h"
#include "UpdateQueue.h"

#include <new>

namespace memplan::runtime::cuda {

using namespace kernels;

/// The scalar after the `inputs` operands of an update, or null.
static const float *skipOf(const Call &call, int inputs) {
  return call.launch->input_count > inputs ? call.in(inputs) : nullptr;
}

/// The scalar behind that one, or null.
static const float *rateOf(const Call &call, int inputs) {
  return skipOf(call, inputs + 1);
}

MEMPLAN_HOST_DEVICE static inline bool isSkipped(const float *skip) {
  return skip && *skip != 0;
}

/// In: the parameter, its states, the gradient. Out: the parameter, its states.
template <int states, typename Step> struct UpdateElement {
  Step step;
  const float *skip, *rate;

  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    if (isSkipped(skip)) {
      for (int k = 0; k <= states; ++k)
        out[k] = in[k];
      return;
    }
    float state[states + 1];
    for (int k = 0; k < states; ++k)
      state[k] = in[k + 1];
    Step scaled = step;
    if (rate)
      scaled.scaleRate(*rate);
    out[0] = scaled(in[0], in[states + 1], state);
    for (int k = 0; k < states; ++k)
      out[k + 1] = state[k];
  }
};

//===----------------------------------------------------------------------===//
// Many at once
//===----------------------------------------------------------------------===//

/// Elements of a row for a block; a multiple of four.
static constexpr int64_t pieceElements = 4096;

/// Rows of a queue as one launch takes them along. Each block has a piece of
/// one row.
template <int ins, int outs, typename F, int most> struct UpdateRows {
  F f;
  int rows;
  int firstPiece[most + 1]; ///< of each row, counted over all of them
  int64_t count[most];
  const float *in[most][ins];
  float *out[most][outs];

  /// Takes rows [first, first + most) of the queue, or what there is.
  UpdateRows(const UpdateQueue &queue, int first)
      : f(*reinterpret_cast<const F *>(queue.step)),
        rows(std::min(queue.rows - first, most)) {
    firstPiece[0] = 0;
    for (int r = 0; r < rows; ++r) {
      const UpdateRow &row = queue.row[first + r];
      count[r] = row.count;
      firstPiece[r + 1] =
          firstPiece[r] + int((row.count + pieceElements - 1) / pieceElements);
      std::copy_n(row.in, ins, in[r]);
      std::copy_n(row.out, outs, out[r]);
    }
  }
  int64_t pieces() const { return firstPiece[rows]; }

  MEMPLAN_DEVICE void operator()(const Block &block, int64_t piece) const {
    int row = 0;
    for (int above = rows; above - row > 1;) {
      const int middle = (row + above) / 2;
      if (firstPiece[middle] <= piece)
        row = middle;
      else
        above = middle;
    }
    Elements<ins, outs, F> all{{}, {}, f, count[row], false};
    uintptr_t bits = 0;
    for (int k = 0; k < ins; ++k) {
      all.in[k] = in[row][k];
      bits |= reinterpret_cast<uintptr_t>(all.in[k]);
    }
    for (int k = 0; k < outs; ++k) {
      all.out[k] = out[row][k];
      bits |= reinterpret_cast<uintptr_t>(all.out[k]);
    }
    all.isAligned = bits % alignof(Four) == 0;
    const int64_t per = all.isAligned ? 4 : 1;
    const int64_t begin = (piece - firstPiece[row]) * (pieceElements / per);
    const int64_t left = all.threads() - begin;
    block.each(left < pieceElements / per ? left : pieceElements / per,
               [&](int64_t i) { all(begin + i); });
  }
};

/// Launches of a few rows take little along; the others as much as a launch may
/// (32764 bytes).
static constexpr int fewRows = 8;
template <int ins, int outs, typename F> constexpr int manyRows() {
  constexpr int bytes = 28000, perRow = 8 * (ins + outs) + 8 + 4;
  return std::min((bytes - int(sizeof(F))) / perRow, UpdateQueue::most);
}

template <int most, int ins, int outs, typename F>
static void startRows(const Call &call, const UpdateQueue &queue) {
  for (int first = 0; first < queue.rows; first += most) {
    const UpdateRows<ins, outs, F, most> rows(queue, first);
    forEachPiece(call, rows.pieces(), rows);
  }
}

/// A queue's Start.
template <int ins, int outs, typename F>
static void startQueue(Device &device) {
  UpdateQueue &queue = *device.updates;
  const Call call{nullptr, device};
  if (queue.rows <= fewRows)
    startRows<fewRows, ins, outs, F>(call, queue);
  else
    startRows<manyRows<ins, outs, F>(), ins, outs, F>(call, queue);
  queue.rows = 0;
}

/// Whether updates of the launch may wait for others.
static bool mayWait(const Call &call) {
  return call.device.stream == call.device.streams[0] && !call.device.waits &&
         !call.device.loads;
}

/// The gradient is input number `gradient`; Adam has one before it that is no
/// state. `begin` launches what the first row of a queue needs.
template <int states, typename Step, typename Begin>
static memplan_status_t updateBy(const Call &call, const Step &step,
                                 int gradient, const Begin &begin) {
  using F = UpdateElement<states, Step>;
  constexpr int ins = states + 2, outs = states + 1;
  static_assert(ins <= UpdateRow::mostIns && outs <= UpdateRow::mostOuts &&
                sizeof(F) <= UpdateQueue::mostStepBytes);
  // Bytes between members are compared too.
  alignas(F) std::byte bytes[sizeof(F)] = {};
  F *f = new (bytes)
      F{step, skipOf(call, gradient + 1), rateOf(call, gradient + 1)};
  UpdateRow row;
  for (int k = 0; k < outs; ++k) {
    row.in[k] = call.in(k);
    row.out[k] = call.out(k);
  }
  row.in[outs] = call.in(gradient);
  row.count = elements(call.output(0));
  UpdateQueue &queue = *call.device.updates;
  const UpdateQueue::Start start = startQueue<ins, outs, F>;
  const bool waits = mayWait(call);
  if (!waits || !queue.takes(start, f, sizeof(F), row))
    call.device.startUpdates();
  if (queue.rows == 0)
    begin();
  queue.add(start, f, sizeof(F), row);
  if (call.device.loads)
    startRows<manyRows<ins, outs, F>(), ins, outs, F>(call, queue);
  if (!waits)
    start(call.device); // on the stream of the launch
  return MEMPLAN_OK;
}

template <typename Step> static memplan_status_t update(const Call &call) {
  return updateBy<Step::states>(call, Step(call.launch), Step::states + 1,
                                [] {});
}

static memplan_status_t prepareAdam(Device &, const memplan_launch_t *,
                                    memplan_prepared_t *prepared) {
  prepared->workspace_bytes = sizeof(AdamRates);
  return MEMPLAN_OK;
}

/// One thread leaves the rates of this step in `rates`.
static void computeRates(const Call &call, AdamRates *rates) {
  double lr = floatAttribute(call.launch, "lr", 0);
  double beta1 = floatAttribute(call.launch, "beta1", 0.9);
  double beta2 = floatAttribute(call.launch, "beta2", 0.999);
  const int64_t *number = call.ints(3);
  int32_t *fault = call.device.fault;
  const float *skip = skipOf(call, 5), *scale = rateOf(call, 5);
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    if (isSkipped(skip))
      return;
    if (*number < 1)
      raiseFault(fault, StepBelowOne);
    *rates =
        AdamRates::at(*number, scale ? lr * double(*scale) : lr, beta1, beta2);
  });
}

/// AdamStep with rates that a launch has left. What these come from is there to
/// be compared.
struct AdamOnDevice {
  AdamStep step;
  const AdamRates *rates;
  const int64_t *number;
  double lr, beta1, beta2;

  MEMPLAN_STEP void scaleRate(float by) { step.scaleRate(by); }
  MEMPLAN_STEP float operator()(float param, float grad, float *state) const {
    return step(param, grad, state, *rates);
  }
};

template <bool decoupled> static memplan_status_t adam(const Call &call) {
  // Updates that wait share one place; its bytes are the device's own, for the
  // workspace is another instruction's by the time they run.
  AdamRates *rates = mayWait(call)
                         ? static_cast<AdamRates *>(call.device.ratesPlace())
                         : call.workspace<AdamRates>();
  const AdamOnDevice step{AdamStep(call.launch, decoupled),
                          rates,
                          call.ints(3),
                          floatAttribute(call.launch, "lr", 0),
                          floatAttribute(call.launch, "beta1", 0.9),
                          floatAttribute(call.launch, "beta2", 0.999)};
  return updateBy<AdamStep::states>(call, step, 4,
                                    [&] { computeRates(call, rates); });
}

static memplan_status_t increment(const Call &call) {
  const int64_t *x = call.ints(0);
  int64_t *y = kernels::i64(call.output(0));
  const float *skip = skipOf(call, 1);
  // Unsigned: the largest number wraps instead of being undefined.
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = int64_t(uint64_t(x[i]) + (isSkipped(skip) ? 0 : 1));
  });
  return MEMPLAN_OK;
}

static memplan_status_t lossScaleUpdate(const Call &call) {
  const ScaleStep step(call.launch);
  const float *scale = call.in(0), *nonFinite = call.in(2);
  const int64_t *good = call.ints(1);
  float *newScale = call.out(0);
  int64_t *newGood = kernels::i64(call.output(1));
  forEach(call, 1, [=] MEMPLAN_DEVICE(int64_t) {
    float nextScale = *scale;
    int64_t nextGood = *good;
    step(*nonFinite, nextScale, nextGood);
    *newScale = nextScale;
    *newGood = nextGood;
  });
  return MEMPLAN_OK;
}

KernelTable updateKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.adagrad_update",
       .launch = update<AdagradStep>,
       .joinsUpdates = true},
      {.name = "memplan.adam_update",
       .launch = adam<false>,
       .prepare = prepareAdam,
       .joinsUpdates = true},
      {.name = "memplan.adamw_update",
       .launch = adam<true>,
       .prepare = prepareAdam,
       .joinsUpdates = true},
      {"memplan.increment", increment},
      {.name = "memplan.lion_update",
       .launch = update<LionStep>,
       .joinsUpdates = true},
      {"memplan.loss_scale_update", lossScaleUpdate},
      {.name = "memplan.rmsprop_momentum_update",
       .launch = update<RmspropStep<true>>,
       .joinsUpdates = true},
      {.name = "memplan.rmsprop_update",
       .launch = update<RmspropStep<false>>,
       .joinsUpdates = true},
      {.name = "memplan.sgd_momentum_update",
       .launch = update<MomentumStep>,
       .joinsUpdates = true},
      {.name = "memplan.sgd_update",
       .launch = update<SgdStep>,
       .joinsUpdates = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
