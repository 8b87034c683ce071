export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

export function oneByOne(): OneByOne {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = before.then(work);
    before = turn.catch(() => {});
    return turn;
  };
}
