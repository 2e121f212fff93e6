//===- Parts.h - Long sums over many blocks ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum that one block would take alone is cut into parts, whose sums a second
// launch adds up in their order. Sizes alone decide on the parts, so that equal
// launches give equal bits.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_PARTS_H
#define MEMPLAN_LIB_KERNELS_CUDA_PARTS_H

#include "Launch.h"

namespace memplan::runtime::cuda {

/// [0, length) in parts, of which each sum of `sums` has as many.
struct Parts {
  /// Some blocks for each multiprocessor of the largest devices there are.
  static constexpr int64_t wantedBlocks = 1024;

  int64_t length, count, size;

  /// A part has at least `least` elements, and begins at a multiple of `step`.
  Parts(int64_t sums, int64_t length, int64_t least, int64_t step = 1)
      : length(length) {
    const int64_t most =
        std::max<int64_t>(1, wantedBlocks / std::max<int64_t>(1, sums));
    count = std::clamp<int64_t>(length / least, 1, most);
    size = (length + count * step - 1) / (count * step) * step;
  }
  MEMPLAN_DEVICE int64_t begin(int64_t part) const {
    return part * size < length ? part * size : length;
  }
  MEMPLAN_DEVICE int64_t elements(int64_t part) const {
    const int64_t left = length - begin(part);
    return left < size ? left : size;
  }
};

/// Sums down the columns of matrices: `bases` of them, `rows` by `width`.
struct ColumnSums {
  int64_t bases, rows, width, tiles;
  Parts parts;

  ColumnSums(int64_t bases, int64_t rows, int64_t width)
      : bases(bases), rows(rows), width(width),
        tiles((width + tileColumns - 1) / tileColumns),
        parts(bases * tiles, rows, /*least=*/128) {}

  /// For `count` sums a column.
  int64_t workspaceBytes(int count) const {
    return parts.count == 1
               ? 0
               : bases * parts.count * count * width * int64_t(sizeof(double));
  }

  /// add(base, row, column, sum) for each element, or for `each` neighbours as
  /// Block::columns says, then finish(base, column, sum) for each column.
  template <int count, int each = 1, typename Add, typename Finish>
  void run(const Call &call, const Add &add, const Finish &finish) const {
    const ColumnSums all = *this;
    double *partial = call.workspace<double>();
    const bool isWhole = parts.count == 1;
    const auto sumTile = [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
      const int64_t part = group % all.parts.count;
      const int64_t tile = group / all.parts.count % all.tiles;
      const int64_t base = group / all.parts.count / all.tiles;
      const int64_t first = tile * tileColumns;
      const int64_t here =
          all.width - first < tileColumns ? all.width - first : tileColumns;
      const int64_t row = all.parts.begin(part);
      block.columns<count, each>(
          all.parts.elements(part), here,
          [&](int64_t r, int64_t c, double *sum) {
            add(base, row + r, first + c, sum);
          },
          [&](int64_t c, const double *sum) {
            if (isWhole)
              return finish(base, first + c, sum);
            for (int k = 0; k < count; ++k)
              partial[((base * all.parts.count + part) * count + k) *
                          all.width +
                      first + c] = sum[k];
          });
    };
    const int64_t groups = bases * tiles * parts.count;
    if constexpr (each == 1)
      forEachBlock(call, groups, parts.size * tileColumns, sumTile);
    else
      forEachPiece(call, groups, sumTile);
    if (isWhole)
      return;
    forEach(call, bases * width, [=] MEMPLAN_DEVICE(int64_t i) {
      const int64_t base = i / all.width, column = i % all.width;
      double sum[count] = {};
      for (int64_t part = 0; part < all.parts.count; ++part)
        for (int k = 0; k < count; ++k)
          sum[k] += partial[((base * all.parts.count + part) * count + k) *
                                all.width +
                            column];
      finish(base, column, sum);
    });
  }
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_PARTS_H
