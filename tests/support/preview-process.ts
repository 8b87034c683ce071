/** Draws the preview of its argument and prints a hash of the picture. */
import { hash } from 'node:crypto';
import { drawPreview } from '#src/previews/draw-preview.ts';
import type { Preview } from '#src/previews/preview.ts';

const preview = JSON.parse(process.argv[2] ?? '') as Preview;
process.stdout.write(hash('sha256', await drawPreview(preview)));
