/**
 * Slots of clients in a queue or among open streams. When all are taken, the client with the most gives one up. Then
 * the IPv6 clients of one /48 count together, because one customer may have a whole /48.
 */

export interface SlotOwner<Item> {
  /** IPv4, or an IPv6 /64. */
  readonly client: string;
  readonly network: Network;
  slots: number;
  /** Oldest first; running work has a slot, but is not among them. */
  readonly items: Set<Item>;
}

interface Network {
  readonly name: string;
  slots: number;
}

export class ClientSlots<Item> {
  readonly #owners = new Map<string, SlotOwner<Item>>();
  readonly #networks = new Map<string, Network>();
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  countOf(client: string): number {
    return this.#owners.get(client)?.slots ?? 0;
  }

  acquire(client: string, slots = 1): SlotOwner<Item> {
    let owner = this.#owners.get(client);
    if (!owner) {
      const name = networkOf(client);
      const network = this.#networks.get(name) ?? { name, slots: 0 };
      this.#networks.set(name, network);
      this.#owners.set(client, (owner = { client, network, slots: 0, items: new Set() }));
    }
    owner.slots += slots;
    owner.network.slots += slots;
    this.#taken += slots;
    return owner;
  }

  release(owner: SlotOwner<Item>, slots = 1): void {
    const { client, network } = owner;
    owner.slots -= slots;
    network.slots -= slots;
    this.#taken -= slots;
    if (owner.slots === 0) this.#owners.delete(client);
    if (network.slots === 0) this.#networks.delete(network.name);
  }

  /** In the network with the most. @returns undefined when the newcomer would have as many */
  findLargest(newcomer: string, wanted = 1): SlotOwner<Item> | undefined {
    const own = this.countOf(newcomer);
    const ownNetwork = this.#networks.get(networkOf(newcomer));
    let largest: SlotOwner<Item> | undefined;
    for (const owner of this.#owners.values()) {
      const { network, slots, items } = owner;
      const more = network === ownNetwork ? slots - own : network.slots - (ownNetwork?.slots ?? 0);
      if (more <= wanted || items.size === 0) continue;
      const lead = network.slots - (largest?.network.slots ?? 0) || slots - (largest?.slots ?? 0);
      // Of equal clients the newest, with the shortest wait.
      if (lead >= 0) largest = owner;
    }
    return largest;
  }
}

/** The /48 of an IPv6 /64. */
export function networkOf(client: string): string {
  return client.split(':', 3).join(':');
}
