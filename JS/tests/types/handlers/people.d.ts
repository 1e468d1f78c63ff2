// What the program's handlers take and give. Written by the bridge: changes are lost.

declare namespace BridgeTypes {
    interface Person {
        id: number | bigint;
        name: string;
        role: "admin" | "guest";
        reports: BridgeTypes.Person[];
        born?: Date | string | null;
        photo?: ArrayBuffer | ArrayBufferView | null;
    }
    interface PersonReply {
        id: number;
        name: string;
        role: "admin" | "guest";
        reports: BridgeTypes.PersonReply[];
        born?: Date | null;
        photo?: Uint8Array | null;
    }
    interface Query {
        name: string;
        limit?: number | bigint | null;
    }
}

interface BridgeHandlers {
    "log": { data: string | null; reply: void; sync: true };
    "old": { data: any; reply: any };
    /**
     * Adds one; ends no comment: * /
     * @since 1.2
     * @deprecated Use people.find.
     */
    "people.add": { data: BridgeTypes.Person; reply: void; sync: true };
    /**
     * Finds a person.
     */
    "people.find": { data: BridgeTypes.Query; reply: BridgeTypes.PersonReply | null };
    "people.friends.count": { data: number; reply: number; sync: true };
    "people.friends.find": { data: BridgeTypes.Query; reply: BridgeTypes.PersonReply[] };
    "people.friends.notify": { data: string | null; reply: string; sync: true };
    "people.then": { data: string | null; reply: string; sync: true };
    "people.watch": { data: string; item: BridgeTypes.PersonReply };
    "total": { data: number[]; reply: number; sync: true };
}
