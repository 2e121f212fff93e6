"""The generator in the tests is the published one."""

import numpy as np

import philox


# Known answers of the Random123 library's philox4x32-10.
def test_known_answers():
    ones, pi = 0xFFFFFFFF, [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344]
    cases = [
        ([0] * 4, 0, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([ones] * 4, ones << 32 | ones, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (pi, 0x299F31D0 << 32 | 0xA4093822, [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
    ]
    for counter, key, expected in cases:
        assert philox.philox(np.array([counter], dtype=np.uint64), key)[0].tolist() == expected


# Neighbouring dropouts must not share a mask, and about p of all elements vanish.
def test_masks():
    first, second = (philox.dropout_mask((64, 64), 0.25, seed=9, salt=salt) for salt in (0, 1))
    assert set(np.unique(first)) == {0.0, 1 / 0.75}
    assert abs((first == 0).mean() - 0.25) < 0.03
    assert not np.array_equal(first, second)
