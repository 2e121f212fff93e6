"""The masks of memplan.dropout, computed from the description of the generator (Philox4x32-10, Salmon et al., SC 2011)."""

import numpy as np

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_WORD = np.uint64(0xFFFFFFFF)


def philox(counter, key: int) -> np.ndarray:
    """Blocks [n, 4] for counters [n, 4] (words of 32 bits held in uint64) under a key of 64 bits."""
    words = [counter[:, i].astype(np.uint64) for i in range(4)]
    keys = [key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF]
    for _ in range(10):
        first, second = _MULTIPLIERS[0] * words[0], _MULTIPLIERS[1] * words[2]
        words = [
            second >> np.uint64(32) ^ words[1] ^ np.uint64(keys[0]), second & _WORD,
            first >> np.uint64(32) ^ words[3] ^ np.uint64(keys[1]), first & _WORD
        ]
        keys = [(k + step) & 0xFFFFFFFF for k, step in zip(keys, _KEY_STEPS)]
    return np.stack(words, axis=1)


def uniform(seed: int, salt: int, count: int) -> np.ndarray:
    """Numbers 0 .. count-1 of the stream `salt` of `seed`, in [0, 1), from the 24 high bits of each word."""
    index = np.arange((count + 3) // 4, dtype=np.uint64)
    low, high = index & _WORD, index >> np.uint64(32)
    salts = [np.full_like(index, salt & 0xFFFFFFFF), np.full_like(index, salt >> 32)]
    words = philox(np.stack([low, high, *salts], axis=1), seed)
    return (words.reshape(-1)[:count] >> np.uint64(8)).astype(np.float32) / np.float32(1 << 24)


def dropout_mask(shape, p: float, seed: int, salt: int) -> np.ndarray:
    """What dropout multiplies with: 0, or 1 / (1 - p)."""
    kept = uniform(seed, salt, int(np.prod(shape))) >= np.float32(p)
    return (kept / np.float64(1 - p)).reshape(shape)
