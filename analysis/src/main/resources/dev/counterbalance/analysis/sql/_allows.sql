-- title: CPU set membership
-- question: Does a set of CPUs hold a CPU?
-- kind: scalar
-- param: mask | | | A set of CPUs, highest CPU first.
-- param: cpu | | | A CPU number.
-- column: _allows | BOOLEAN | | False for NULL. | this entry
coalesce(
  cpu >= 0
    AND cpu < bit_length(mask)
    AND get_bit(mask, least(greatest(bit_length(mask) - 1 - cpu, 0), bit_length(mask) - 1)::INTEGER)
      = 1,
  false)
