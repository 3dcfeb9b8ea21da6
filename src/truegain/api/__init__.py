"""The functions that Python programs call: one a file, found as ``truegain.compare`` and so on."""
