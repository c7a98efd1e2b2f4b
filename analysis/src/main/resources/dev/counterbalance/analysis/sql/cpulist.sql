-- title: CPU list
-- question: Which CPUs does a BIT column stand for, in the kernel's cpulist notation (0-3,8)?
-- kind: scalar
-- param: bits | | | A set of CPUs, highest CPU first.
-- column: cpulist | VARCHAR | | The list; NULL for NULL, empty for the empty set. | kernel
CASE WHEN bits IS NOT NULL THEN
  array_to_string(
    list_transform(
      list_zip(
        list_filter(range(bit_length(bits)),
          lambda i: _allows(bits, i) AND (i = 0 OR NOT _allows(bits, i - 1))),
        list_filter(range(bit_length(bits)),
          lambda i: _allows(bits, i) AND NOT _allows(bits, i + 1))),
      lambda r: CASE WHEN r[1] = r[2] THEN r[1]::VARCHAR
        ELSE r[1]::VARCHAR || '-' || r[2]::VARCHAR END),
    ',')
END
