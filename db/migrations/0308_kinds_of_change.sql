-- What made a change: edit, redaction, import, undo, restore or rebuild. NULL when it is not known.
ALTER TABLE change_notes ADD COLUMN how TEXT;
