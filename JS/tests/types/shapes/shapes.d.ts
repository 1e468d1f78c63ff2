// What the program's handlers take and give. Written by the bridge: changes are lost.

declare namespace BridgeTypes {
    interface AnyMessage {
        type: string;
        [other: string]: any;
    }
    interface AnyObject {
        [other: string]: any;
    }
    interface ByCase {
        kind: "circle" | "dot" | "rect";
        radius?: any;
        width?: any;
        [other: string]: any;
    }
    interface ByElse {
        kind: string;
        width?: any;
        [other: string]: any;
    }
    interface ByFlag {
        all: boolean;
        ids?: any;
        [other: string]: any;
    }
    interface ByKey {
        scores: { [key: string]: number | bigint };
    }
    interface ByKeyType {
        kind: string;
        [other: string]: any;
    }
    interface ByNumber {
        names: { [key: string]: string };
    }
    interface ByRaw {
        scores: any[];
    }
    interface ByText {
        kind: string;
        [other: string]: any;
    }
    interface Checked {
        page: string;
        [other: string]: any;
    }
    interface Contains {
        name: string;
        limit?: number | bigint | null;
    }
    interface Defaulted {
        name: string;
        limit?: number | bigint | null;
    }
    interface DefaultedReply {
        name: string;
        limit?: any;
    }
    interface Derived {
        extra: string;
        id: number | bigint;
    }
    interface Either {
        id?: any;
        tags?: any;
        flag?: any;
        [other: string]: any;
    }
    interface EitherKey {
        id?: number | bigint | null;
        identifier?: any;
        [other: string]: any;
    }
    interface Envelope {
        type: string;
        [other: string]: any;
    }
    type Figure = { circle: { radius: number } } | { square: { side: number } } | { nothing: {} };
    interface Flattened {
        id: number | bigint;
        tags?: any;
        note: string;
        [other: string]: any;
    }
    interface Forgiving {
        name: string;
        limit?: any;
        [other: string]: any;
    }
    type Formula = { number: { _0: number } } | { sum: { _0: BridgeTypes.Formula; _1: BridgeTypes.Formula } } | { named: { _0: string; as?: BridgeTypes.Formula | null } };
    interface Date2 {
        a: number | bigint;
    }
    interface string2 {
        a: number | bigint;
    }
    interface Uint8Array2 {
        a: number | bigint;
        bytes: ArrayBuffer | ArrayBufferView;
    }
    interface Holder {
        date: BridgeTypes.Date2;
        text: BridgeTypes.string2;
        array: BridgeTypes.Uint8Array2;
        moment: Date | string;
    }
    interface HoldsEither {
        id: number | bigint | string;
        name: string;
    }
    interface HoldsFigure {
        name: string;
        figure: BridgeTypes.Figure;
    }
    interface Inside {
        position: { [key: string]: any };
        list: any[];
        [other: string]: any;
    }
    interface LooseFigure {
        [other: string]: any;
    }
    interface Message {
        type: string;
        [other: string]: any;
    }
    interface Moments {
        date: Date | string;
        bytes: ArrayBuffer | ArrayBufferView;
        amount: string | number | bigint;
        page: string;
        key: string;
        ratio: number;
    }
    interface NilChecked {
        x?: number | bigint | null;
    }
    interface NilWanted {
        x: number | bigint | null;
    }
    interface Node {
        value: number | bigint;
        next?: BridgeTypes.Node | null;
    }
    interface Numbered {
        [other: string]: any;
    }
    interface Omitted {
        id: number | bigint;
        [other: string]: any;
    }
    interface Inner {
        flag: boolean;
    }
    interface Page_Optional_Int {
        items: (number | bigint | null)[];
        first: number | bigint | null;
    }
    interface Plain {
        id: number | bigint;
        name?: string | null;
        list: number[];
        table: { [key: string]: boolean };
        role: "admin" | "guest";
        raw: "one" | "two";
        level: 0 | 1 | 0n | 1n;
        inner: BridgeTypes.Inner;
        inners?: BridgeTypes.Inner[] | null;
        class?: number | bigint | null;
    }
    interface Record {
        id: number | bigint;
        tags: { [key: string]: string };
    }
    interface RecordReply {
        id: number;
        tags: { [key: string]: string };
    }
    interface SuperDerived {
        extra: string;
        super: { [key: string]: any };
        [other: string]: any;
    }
    interface Tagged {
        type: string;
        [other: string]: any;
    }
    type TextOrObject = string | {
        name: string;
    };
    interface Tree {
        name: string;
        children: BridgeTypes.Tree[];
    }
    interface Twice {
        a?: number | bigint | null;
        b: (number | bigint | null)[];
    }
    interface TwoKeys {
        name?: any;
        title?: any;
        label?: any;
        [other: string]: any;
    }
    interface Versioned {
        version?: number | bigint | null;
        name?: any;
        [other: string]: any;
    }
    interface Wrapped {
        name: string;
        isNew?: boolean | null;
    }
}

interface BridgeHandlers {
    "AnyCase": { data: string; reply: string; sync: true };
    "AnyCode": { data: any; reply: string; sync: true };
    "AnyMessage": { data: BridgeTypes.AnyMessage; reply: string; sync: true };
    "AnyObject": { data: BridgeTypes.AnyObject; reply: string; sync: true };
    "ByCase": { data: BridgeTypes.ByCase; reply: string; sync: true };
    "ByElse": { data: BridgeTypes.ByElse; reply: string; sync: true };
    "ByFlag": { data: BridgeTypes.ByFlag; reply: string; sync: true };
    "ByKey": { data: BridgeTypes.ByKey; reply: string; sync: true };
    "ByKeyType": { data: BridgeTypes.ByKeyType; reply: string; sync: true };
    "ByNumber": { data: BridgeTypes.ByNumber; reply: string; sync: true };
    "ByRaw": { data: BridgeTypes.ByRaw; reply: string; sync: true };
    "ByText": { data: BridgeTypes.ByText; reply: string; sync: true };
    "Checked": { data: BridgeTypes.Checked; reply: string; sync: true };
    "Command": { data: any[]; reply: string; sync: true };
    "Contains": { data: BridgeTypes.Contains; reply: string; sync: true };
    "Defaulted": { data: BridgeTypes.Defaulted; reply: string; sync: true };
    "Derived": { data: BridgeTypes.Derived; reply: string; sync: true };
    "Either": { data: BridgeTypes.Either; reply: string; sync: true };
    "EitherKey": { data: BridgeTypes.EitherKey; reply: string; sync: true };
    "Empty": { data: any; reply: string; sync: true };
    "Envelope": { data: BridgeTypes.Envelope; reply: string; sync: true };
    "Figure": { data: BridgeTypes.Figure; reply: string; sync: true };
    "Flattened": { data: BridgeTypes.Flattened; reply: string; sync: true };
    "Forgiving": { data: BridgeTypes.Forgiving; reply: string; sync: true };
    "Formula": { data: BridgeTypes.Formula; reply: string; sync: true };
    "Hiding": { data: "shown" | "hidden"; reply: string; sync: true };
    "Holder": { data: BridgeTypes.Holder; reply: string; sync: true };
    "HoldsEither": { data: BridgeTypes.HoldsEither; reply: string; sync: true };
    "HoldsFigure": { data: BridgeTypes.HoldsFigure; reply: string; sync: true };
    "Inside": { data: BridgeTypes.Inside; reply: string; sync: true };
    "IntOrString": { data: number | bigint | string; reply: string; sync: true };
    "Lenient": { data: string; reply: string; sync: true };
    "LooseFigure": { data: BridgeTypes.LooseFigure; reply: string; sync: true };
    "Lossy": { data: any[]; reply: string; sync: true };
    "Maybe": { data: number | bigint | null; reply: string; sync: true };
    "Message": { data: BridgeTypes.Message; reply: string; sync: true };
    "Moments": { data: BridgeTypes.Moments; reply: string; sync: true };
    "NilChecked": { data: BridgeTypes.NilChecked; reply: string; sync: true };
    "NilWanted": { data: BridgeTypes.NilWanted; reply: string; sync: true };
    "Node": { data: BridgeTypes.Node; reply: string; sync: true };
    "Numbered": { data: BridgeTypes.Numbered; reply: string; sync: true };
    "Omitted": { data: BridgeTypes.Omitted; reply: string; sync: true };
    "OneOrMany": { data: BridgeTypes.Inner[] | BridgeTypes.Inner; reply: string; sync: true };
    "Order": { data: any[]; reply: string; sync: true };
    "Page<Optional<Int>>": { data: BridgeTypes.Page_Optional_Int; reply: string; sync: true };
    "Plain": { data: BridgeTypes.Plain; reply: string; sync: true };
    "Point": { data: (number | string)[]; reply: string; sync: true };
    "Record": { data: BridgeTypes.Record; reply: string; sync: true };
    "Role": { data: "admin" | "guest"; reply: string; sync: true };
    "Sign": { data: -1 | 1 | -1n | 1n; reply: string; sync: true };
    "Skipping": { data: any[]; reply: string; sync: true };
    "Spelled": { data: string; reply: string; sync: true };
    "SuperDerived": { data: BridgeTypes.SuperDerived; reply: string; sync: true };
    "Tagged": { data: BridgeTypes.Tagged; reply: string; sync: true };
    "TakesAll": { data: any; reply: string; sync: true };
    "TextOrObject": { data: BridgeTypes.TextOrObject; reply: string; sync: true };
    "Tree": { data: BridgeTypes.Tree; reply: string; sync: true };
    "Twice": { data: BridgeTypes.Twice; reply: string; sync: true };
    "TwoKeys": { data: BridgeTypes.TwoKeys; reply: string; sync: true };
    "Versioned": { data: BridgeTypes.Versioned; reply: string; sync: true };
    "Wrapped": { data: BridgeTypes.Wrapped; reply: string; sync: true };
    "give.bytes": { data: any; reply: Uint8Array; sync: true };
    "give.date": { data: any; reply: Date; sync: true };
    "give.decimal": { data: any; reply: string; sync: true };
    "give.defaulted": { data: any; reply: BridgeTypes.DefaultedReply; sync: true };
    "give.either": { data: any; reply: number | string; sync: true };
    "give.forgiving": { data: any; reply: BridgeTypes.Forgiving; sync: true };
    "give.record": { data: any; reply: BridgeTypes.RecordReply; sync: true };
    "give.stream": { data: any; item: number };
}
