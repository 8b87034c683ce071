/**
 * The places of clients in a queue or among open streams. When all places are taken, the client with the most places
 * makes room. The IPv6 clients of one /48 count together then, because one customer may have a whole /48.
 */

/** The places of one client: an IPv4 address or an IPv6 /64. */
export interface Holder<Item> {
  readonly client: string;
  readonly network: Network;
  places: number;
  /** Items that can make room, from the oldest. Work under way has a place and is no such item. */
  readonly items: Set<Item>;
}

interface Network {
  readonly name: string;
  places: number;
}

export class Places<Item> {
  readonly #holders = new Map<string, Holder<Item>>();
  readonly #networks = new Map<string, Network>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  of(client: string): number {
    return this.#holders.get(client)?.places ?? 0;
  }

  take(client: string): Holder<Item> {
    let holder = this.#holders.get(client);
    if (!holder) {
      const name = networkOf(client);
      const network = this.#networks.get(name) ?? { name, places: 0 };
      this.#networks.set(name, network);
      this.#holders.set(client, (holder = { client, network, places: 0, items: new Set() }));
    }
    holder.places += 1;
    holder.network.places += 1;
    this.#taken += 1;
    return holder;
  }

  giveBack(holder: Holder<Item>): void {
    const { client, network } = holder;
    holder.places -= 1;
    network.places -= 1;
    this.#taken -= 1;
    if (holder.places === 0) this.#holders.delete(client);
    if (network.places === 0) this.#networks.delete(network.name);
  }

  /**
   * Finds the client with the most places in the network with the most places.
   * @returns undefined when no client would still have as many places as the newcomer: the newcomer gets none
   */
  findLargest(newcomer: string): Holder<Item> | undefined {
    const own = this.of(newcomer);
    const ownNetwork = this.#networks.get(networkOf(newcomer));
    let largest: Holder<Item> | undefined;
    for (const holder of this.#holders.values()) {
      const { network, places, items } = holder;
      const more = network === ownNetwork ? places - own : network.places - (ownNetwork?.places ?? 0);
      if (more < 2 || items.size === 0) continue;
      const ahead = network.places - (largest?.network.places ?? 0) || places - (largest?.places ?? 0);
      // Of equal clients the latest, which has waited for the shortest time.
      if (ahead >= 0) largest = holder;
    }
    return largest;
  }
}

/** The /48 of an IPv6 /64, which is written as its four parts. */
function networkOf(client: string): string {
  return client.split(':', 3).join(':');
}
