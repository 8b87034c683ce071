/** Replaces an avatar that failed to load by an empty disc. */

document.addEventListener('error', ({ target }) => replaceAvatar(target), { capture: true });
for (const image of document.querySelectorAll<HTMLImageElement>('img.avatar')) {
  // Failed before this script came.
  if (image.complete && image.naturalWidth === 0) replaceAvatar(image);
}

function replaceAvatar(image: EventTarget | null): void {
  if (!(image instanceof HTMLImageElement) || !image.matches('.avatar')) return;
  const ground = document.createElement('span');
  ground.className = 'avatar';
  image.replaceWith(ground);
}
