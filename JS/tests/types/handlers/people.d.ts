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
    "deep.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25.26.27.28.29.30.31.32.33.34.35.36.37.38.39.40": { data: number | bigint; reply: number; sync: true };
    "log": { data: string | null; reply: void; sync: true };
    "old": { data: any; reply: any };
    /**
     * Adds one; ends no comment: * /, * /́
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
