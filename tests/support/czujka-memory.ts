/** Runs the operator's command line and then says how much memory it took at most: the last line of standard error. */
await import('../../scripts/czujka.ts');
process.stderr.write(`${process.resourceUsage().maxRSS}\n`);
export {};
