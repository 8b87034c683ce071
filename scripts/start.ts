/** As start.mjs, with more memory: units of earlier versions start this file. */
import './start.mjs';
