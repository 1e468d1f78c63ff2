// What TypeScript makes of this file, and its source maps, stand beside it: see make.mjs.
interface Item {
    readonly name: string;
    readonly price: number;
}

enum Currency { Euro = "EUR", Yen = "JPY" }

class Basket<Content extends Item> {
    private readonly items: Content[] = [];

    add(item: Content): this {
        this.items.push(item);
        return this;
    }

    total(currency: Currency): string {
        const sum = this.items.reduce((all: number, item: Content): number => all + checked(item), 0);
        return `${sum} ${currency}`;
    }
}

function checked(item: Item): number {
    if (item.price < 0) {
        /* 東京 */ throw new RangeError(`"${item.name}" costs less than nothing`);
    }
    return item.price;
}

const buy = async (prices: number[]): Promise<string> => {
    const basket = new Basket<Item>();
    for (const price of prices) basket.add({ name: `item ${price}`, price });
    await Promise.resolve();
    return basket.total(Currency.Euro);
};

(globalThis as any).shop = { buy, Basket, Currency };
