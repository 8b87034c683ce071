export { openapi as ALL } from './_api-document.ts';
