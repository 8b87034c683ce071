/** `npm start`: migrates the real database, then runs web and worker until a signal ends them. */
import '#src/supervisor/start.ts';
