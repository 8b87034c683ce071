/** The button that prints; pictures that were not scrolled to are loaded first. */
for (const button of document.querySelectorAll<HTMLButtonElement>('.print')) {
  button.addEventListener('click', () => void printWhole());
}

async function printWhole(): Promise<void> {
  const images = [...document.images];
  for (const image of images) image.loading = 'eager';
  // One that cannot be loaded must not keep the others from being printed.
  await Promise.allSettled(images.map((image) => image.decode()));
  print();
}
