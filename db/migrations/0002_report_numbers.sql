-- Finds a report number in any case (the page of an entry).
CREATE INDEX entries_by_report_id ON entries (report_id COLLATE NOCASE);
CREATE INDEX tombstones_by_report_id ON tombstones (report_id COLLATE NOCASE);
