-- The worker that acts holds a lock of the system, and followers of the change log know by themselves how far they are.
DROP TABLE leases;
DROP TABLE change_progress;
