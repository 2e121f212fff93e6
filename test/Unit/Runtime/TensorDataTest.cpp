//===- TensorDataTest.cpp - Tensor files and values from a seed -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Data/TensorData.h"
#include "memplan/Kernels/Philox.h"
#include "memplan/Runtime/Data/RealElement.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <random>

using namespace memplan::runtime;
using testing::HasSubstr;

static HostTensor floats(std::vector<int64_t> shape,
                         std::vector<float> values) {
  HostTensor tensor{DType::F32, std::move(shape), {}};
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

static std::vector<float> floatsOf(const HostTensor &tensor) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

static std::vector<std::byte> bytesOf(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

static std::vector<std::byte> withLength(const std::string &header,
                                         size_t dataBytes) {
  uint64_t length = header.size();
  std::string text(reinterpret_cast<char *>(&length), sizeof(length));
  return bytesOf(text + header + std::string(dataBytes, '\0'));
}

//===----------------------------------------------------------------------===//
// safetensors
//===----------------------------------------------------------------------===//

static TensorFile twoTensors() {
  TensorFile file;
  file.tensors["a \"b\"\n"] = floats({2, 1}, {1, -2});
  file.tensors["count"] = {DType::I64, {}, std::vector<std::byte>(8)};
  file.tensors["empty"] = {DType::I8, {0, 3}, {}};
  file.tensors["half"] = {DType::F16, {3}, std::vector<std::byte>(6)};
  file.tensors["short"] = {DType::BF16, {1, 2}, std::vector<std::byte>(4)};
  file.metadata["step"] = "12";
  return file;
}

TEST(Safetensors, reads_back_what_it_wrote) {
  TensorFile file = twoTensors();
  Result<TensorFile> read = parseSafetensors(serializeSafetensors(file));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->tensors, file.tensors);
  EXPECT_EQ(read->metadata, file.metadata);
}

TEST(Safetensors, reads_a_file_of_another_writer) {
  Result<TensorFile> read = parseSafetensors(
      withLength(" { \"w\" : { \"shape\" : [ 2 ] , \"data_offsets\": [4,12], "
                 "\"dtype\":\"F32\", \"extra\": [true, null, {}] } } ",
                 12));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->tensors["w"].shape, std::vector<int64_t>{2});
}

TEST(Safetensors, says_what_is_wrong) {
  auto errorOf = [](const std::string &header, size_t data) {
    return parseSafetensors(withLength(header, data)).error().message;
  };
  EXPECT_THAT(errorOf("{\"w\":{\"dtype\":\"F64\",\"shape\":[],"
                      "\"data_offsets\":[0,8]}}",
                      8),
              HasSubstr("tensor 'w' has the element type F64; F32, BF16, F16, "
                        "I64 and I8 are known"));
  EXPECT_THAT(errorOf("{\"w\":{\"dtype\":\"F32\",\"shape\":[3],"
                      "\"data_offsets\":[0,8]}}",
                      8),
              HasSubstr("of type 3xf32 has the data offsets [0, 8)"));
  EXPECT_THAT(errorOf("{\"w\":{\"dtype\":\"F32\",\"shape\":[-1],"
                      "\"data_offsets\":[0,8]}}",
                      8),
              HasSubstr("tensor 'w'"));
  EXPECT_THAT(errorOf("{\"w\":{}}", 0), HasSubstr("lacks dtype"));
  EXPECT_THAT(errorOf("[1]", 0), HasSubstr("not an object"));
  EXPECT_THAT(errorOf("{\"w\":", 0), HasSubstr("malformed JSON at byte"));
  EXPECT_THAT(errorOf(std::string(1000, '['), 0), HasSubstr("malformed JSON"));
  EXPECT_THAT(parseSafetensors(bytesOf("abc")).error().message,
              HasSubstr("3 bytes"));
}

// Checkpoints come from outside: no bytes may crash.
TEST(Safetensors, survives_mutated_files) {
  uint64_t seed = 20260102;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::byte> original = serializeSafetensors(twoTensors());
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = original;
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      size_t at = random() % bytes.size();
      if (random() % 3 == 0)
        bytes.erase(bytes.begin() + std::ptrdiff_t(at));
      else
        bytes[at] = std::byte(random());
    }
    Result<TensorFile> read = parseSafetensors(bytes);
    refused += !read.ok();
  }
  EXPECT_GT(refused, 0);
}

//===----------------------------------------------------------------------===//
// npy
//===----------------------------------------------------------------------===//

static std::vector<std::byte> npy(const std::string &header,
                                  const std::string &data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size() & 0xFF);
  text += char(header.size() >> 8);
  return bytesOf(text + header + data);
}

TEST(Npy, reads_arrays) {
  float values[2] = {1.5f, -2};
  std::string data(reinterpret_cast<char *>(values), sizeof(values));
  Result<HostTensor> read = parseNpy(
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }   \n",
          data));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, floats({1, 2}, {1.5f, -2}));
  read = parseNpy(
      npy("{'descr': '|i1', 'fortran_order': False, 'shape': (3,)}", "abc"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->shape, std::vector<int64_t>{3});
  read = parseNpy(npy("{'descr': '<i8', 'fortran_order': False, 'shape': ()}",
                      std::string(8, '\0')));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->shape.empty());
  // numpy has no name for bfloat16: what ml_dtypes saves is two bytes of any
  // kind.
  for (auto [descr, type] :
       {std::pair("<f2", DType::F16), std::pair("<V2", DType::BF16),
        std::pair("|V2", DType::BF16), std::pair("bfloat16", DType::BF16)}) {
    read = parseNpy(npy("{'descr': '" + std::string(descr) +
                            "', 'fortran_order': False, 'shape': (2,)}",
                        "abcd"));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->dtype, type) << descr;
  }
}

TEST(Npy, says_what_is_wrong) {
  auto errorOf = [](const std::string &header, const std::string &data) {
    return parseNpy(npy(header, data)).error().message;
  };
  EXPECT_THAT(errorOf("{'descr': '<f8', 'fortran_order': False, 'shape': ()}",
                      "12345678"),
              HasSubstr("convert the array to float32"));
  EXPECT_THAT(
      errorOf("{'descr': '<f4', 'fortran_order': True, 'shape': ()}", "1234"),
      HasSubstr("ascontiguousarray"));
  EXPECT_THAT(errorOf("{'descr': '<f4', 'fortran_order': False, 'shape': (9,)}",
                      "1234"),
              HasSubstr("holds 4 bytes"));
  EXPECT_THAT(
      errorOf("{'descr': '<f4', 'fortran_order': False, 'shape': (-1", "1234"),
      HasSubstr("shape cannot be read"));
  EXPECT_THAT(parseNpy(bytesOf("hello")).error().message,
              HasSubstr("not a .npy file"));
}

// Numbers at the edges of their types, put where the header has numbers: sizes
// multiply and offsets add up without wrapping.
TEST(Safetensors, survives_every_edge_number) {
  const std::vector<std::string> edges = {"-1",
                                          "0",
                                          "1",
                                          "4611686018427387904",
                                          "9223372036854775807",
                                          "9223372036854775800",
                                          "18446744073709551615",
                                          "36893488147419103232",
                                          "2305843009213693952",
                                          "-9223372036854775808"};
  int refused = 0;
  for (const std::string &a : edges)
    for (const std::string &b : edges)
      for (const std::string &c : edges)
        for (const std::string &d : edges) {
          Result<TensorFile> read = parseSafetensors(
              withLength("{\"w\":{\"dtype\":\"I64\",\"shape\":[" + a + "," + b +
                             "],\"data_offsets\":[" + c + "," + d + "]}}",
                         8));
          if (!read) {
            ++refused;
            continue;
          }
          const HostTensor &tensor = read->tensors["w"];
          EXPECT_EQ(int64_t(tensor.bytes.size()),
                    *tensorBytes(tensor.dtype, tensor.shape))
              << a << " " << b << " " << c << " " << d;
        }
  EXPECT_GT(refused, 9900);
}

TEST(Npy, survives_every_edge_number) {
  for (const char *edge :
       {"-1", "0", "2", "4611686018427387904", "9223372036854775807",
        "18446744073709551616", "2305843009213693952"})
    for (const char *other : {"0", "1", "8", "9223372036854775807"}) {
      Result<HostTensor> read =
          parseNpy(npy(std::string("{'descr': '<i8', 'fortran_order': False, "
                                   "'shape': (") +
                           edge + ", " + other + "), }",
                       std::string(16, 'x')));
      if (read)
        EXPECT_EQ(read->bytes.size(), 16u) << edge << " " << other;
    }
}

TEST(Npy, survives_mutated_files) {
  uint64_t seed = 20260103;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::byte> original =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n",
          std::string(16, 'x'));
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = original;
    bytes[random() % bytes.size()] = std::byte(random());
    bytes.resize(bytes.size() - random() % 3);
    refused += !parseNpy(bytes).ok();
  }
  EXPECT_GT(refused, 0);
}

//===----------------------------------------------------------------------===//
// Values from a seed
//===----------------------------------------------------------------------===//

// The published test vectors of Philox4x32-10: counters and keys all 0, all 1.
TEST(Philox, gives_the_published_numbers) {
  PhiloxBlock zero = philox({{0, 0, 0, 0}}, 0);
  EXPECT_EQ(zero.word[0], 0x6627e8d5u);
  EXPECT_EQ(zero.word[1], 0xe169c58du);
  EXPECT_EQ(zero.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.word[3], 0x9b00dbd8u);
  PhiloxBlock ones = philox({{~0u, ~0u, ~0u, ~0u}}, 0xffffffffffffffffu);
  EXPECT_EQ(ones.word[0], 0x408f276du);
  EXPECT_EQ(ones.word[1], 0x41c83b0eu);
  EXPECT_EQ(ones.word[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.word[3], 0x6d5451fdu);
}

static Argument argument(const std::string &init,
                         ArgumentKind kind = ArgumentKind::Parameter) {
  Argument result;
  result.name = "w";
  result.kind = kind;
  result.shape = {100, 100};
  result.init = init;
  return result;
}

static void moments(const std::vector<float> &values, double &mean,
                    double &deviation, double &largest) {
  double sum = 0, squares = 0;
  largest = 0;
  for (float value : values) {
    sum += value;
    squares += double(value) * value;
    largest = std::max(largest, std::fabs(double(value)));
  }
  mean = sum / double(values.size());
  deviation = std::sqrt(squares / double(values.size()) - mean * mean);
}

TEST(Initializer, follows_the_rules) {
  double mean = 0, deviation = 0, largest = 0;
  moments(floatsOf(*initialValue(argument("normal:0.02"), 1)), mean, deviation,
          largest);
  EXPECT_NEAR(mean, 0, 0.001);
  EXPECT_NEAR(deviation, 0.02, 0.001);
  EXPECT_LE(largest, 0.12);
  moments(floatsOf(*initialValue(argument("uniform:3"), 1)), mean, deviation,
          largest);
  EXPECT_NEAR(deviation, 3 / std::sqrt(3.0), 0.05);
  EXPECT_LE(largest, 3);
  moments(floatsOf(*initialValue(argument("kaiming_uniform:24"), 1)), mean,
          deviation, largest);
  EXPECT_LE(largest, 0.5);
  EXPECT_GT(largest, 0.49);
  for (float one : floatsOf(*initialValue(argument("ones"), 1)))
    ASSERT_EQ(one, 1);
  for (float value : floatsOf(*initialValue(argument("constant:-1e-6"), 1)))
    ASSERT_EQ(value, -1e-6f);
  for (float zero :
       floatsOf(*initialValue(argument("", ArgumentKind::State), 1)))
    ASSERT_EQ(zero, 0);
}

// The same bytes on every machine: the sum of the bits that an independent
// program in exact integers gives.
TEST(Initializer, is_the_same_everywhere) {
  std::vector<float> values =
      floatsOf(*initialValue(argument("normal:0.02"), 7));
  uint64_t hash = 0xcbf29ce484222325u;
  for (float value : values) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  EXPECT_EQ(hash, 15833899241862038981u);
  EXPECT_NE(*initialValue(argument("normal:0.02"), 8),
            *initialValue(argument("normal:0.02"), 7));
}

// A step in 16 bits begins where the one in f32 does, rounded.
TEST(Initializer, rounds_the_values_of_f32) {
  const std::vector<float> wide =
      floatsOf(*initialValue(argument("normal:0.02"), 7));
  for (DType type : {DType::BF16, DType::F16}) {
    Argument half = argument("normal:0.02");
    half.dtype = type;
    const HostTensor values = *initialValue(half, 7);
    const HostTensor data = *syntheticData(half, 7, 1);
    ASSERT_EQ(values.bytes.size(), wide.size() * 2);
    EXPECT_EQ(data.bytes.size(), wide.size() * 2);
    for (size_t i = 0; i < wide.size(); ++i) {
      std::byte bits[2];
      writeReal(type, wide[i], bits);
      ASSERT_EQ(readReal(type, values.bytes.data() + 2 * i),
                readReal(type, bits));
    }
  }
}

TEST(Initializer, refuses_unknown_rules) {
  for (const char *rule :
       {"gauss", "normal", "normal:", "normal:x", "normal:-1", "normal:1 ",
        "kaiming_uniform:0", "uniform:inf", "constant", "constant:nan"})
    EXPECT_THAT(initialValue(argument(rule), 0).error().message,
                HasSubstr(std::string("initializer '") + rule + "'"));
  Argument ids = argument("normal:1");
  ids.dtype = DType::I64;
  EXPECT_THAT(initialValue(ids, 0).error().message, HasSubstr("integers"));
}

TEST(SyntheticData, stays_below_high_and_changes_with_the_step) {
  Argument ids = argument("", ArgumentKind::Input);
  ids.dtype = DType::I64;
  ids.high = 10;
  std::vector<int> seen(10);
  HostTensor first = *syntheticData(ids, 1, 0);
  for (size_t i = 0; i < 10000; ++i) {
    int64_t id;
    std::memcpy(&id, first.bytes.data() + i * 8, 8);
    ASSERT_GE(id, 0);
    ASSERT_LT(id, 10);
    ++seen[size_t(id)];
  }
  for (int times : seen)
    EXPECT_NEAR(times, 1000, 150);
  EXPECT_EQ(first, *syntheticData(ids, 1, 0));
  EXPECT_NE(first, *syntheticData(ids, 1, 1));
  EXPECT_NE(first, *syntheticData(ids, 2, 0));
}
