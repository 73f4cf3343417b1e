// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The names of variables and functions are those of FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2.2.
#include "support/sha256.h"

#include <bit>
#include <cstddef>

namespace heddle {

namespace {

using Word = std::uint32_t;
constexpr std::size_t kBlockBytes = 64;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> kK = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<Word, 8>;

Word byte_of(char c) {
  return static_cast<Word>(static_cast<unsigned char>(c));
}

/// One block of 64 bytes.
void add_block(State& hash, std::string_view block) {
  std::array<Word, 64> w = {};
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = byte_of(block[4 * t]) << 24U | byte_of(block[4 * t + 1]) << 16U |
           byte_of(block[4 * t + 2]) << 8U | byte_of(block[4 * t + 3]);
  for (std::size_t t = 16; t < 64; ++t) {
    const Word x = w[t - 15];
    const Word y = w[t - 2];
    const Word sigma0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3U;
    const Word sigma1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10U;
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word choice = (e & f) ^ (~e & g);
    const Word t1 = h + sum1 + choice + kK[t] + w[t];
    const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    const Word t2 = sum0 + majority;
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const State added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i)
    hash[i] += added[i];
}

} // namespace

Sha256 sha256(std::string_view text) {
  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  State hash = {0x6a09e667,
                0xbb67ae85,
                0x3c6ef372,
                0xa54ff53a,
                0x510e527f,
                0x9b05688c,
                0x1f83d9ab,
                0x5be0cd19};
  std::string_view rest = text;
  for (; rest.size() >= kBlockBytes; rest.remove_prefix(kBlockBytes))
    add_block(hash, rest.substr(0, kBlockBytes));
  // A one, zeros, and the length in bits at the end of the last block.
  std::string last(rest);
  last += '\x80';
  while (last.size() % kBlockBytes != kBlockBytes - 8)
    last += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
  for (unsigned shift = 64; shift > 0; shift -= 8)
    last += static_cast<char>(bits >> (shift - 8) & 0xffU);
  for (std::size_t start = 0; start < last.size(); start += kBlockBytes)
    add_block(hash, std::string_view(last).substr(start, kBlockBytes));

  Sha256 digest = {};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24 - 8 * (i % 4)) & 0xffU);
  return digest;
}

std::string to_hex(const Sha256& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xfU];
  }
  return text;
}

} // namespace heddle
