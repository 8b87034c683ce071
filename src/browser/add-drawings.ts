/** Takes from a fetched page the marks and icons that this one does not draw yet, for the parts that are taken from it. */
export function addDrawings(page: Document): void {
  for (const drawing of page.querySelectorAll('[data-drawings] > *'))
    if (!document.getElementById(drawing.id)) document.querySelector('[data-drawings]')?.append(drawing);
}
