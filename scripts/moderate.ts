/** The command line of a moderator's account, which may not open the database. */
import '#src/operator/moderate.ts';
