-- When the probe was written, by the machine's monotonic clock in milliseconds: a wall clock that is set makes it neither
-- old nor new. NULL: before this column.
ALTER TABLE status_write_probe ADD COLUMN at_monotonic INTEGER;
