-- A database knows the removals that stand in its table; of the logs that it comes from, it keeps the names.
INSERT INTO properties (key, value)
SELECT 'earlier_logs', group_concat(log.key, ' ')
FROM properties, json_each(CASE WHEN json_valid(properties.value) THEN properties.value ELSE '{}' END) AS log
WHERE properties.key = 'removals_known' GROUP BY properties.key;
DELETE FROM properties WHERE key = 'removals_known';
