/* bundle */ var before = 1;
var Currency;
(function (Currency) {
    Currency["Euro"] = "EUR";
    Currency["Yen"] = "JPY";
})(Currency || (Currency = {}));
class Basket {
    constructor() {
        this.items = [];
    }
    add(item) {
        this.items.push(item);
        return this;
    }
    total(currency) {
        const sum = this.items.reduce((all, item) => all + checked(item), 0);
        return `${sum} ${currency}`;
    }
}
function checked(item) {
    if (item.price < 0) {
        /* 東京 */ throw new RangeError(`"${item.name}" costs less than nothing`);
    }
    return item.price;
}
const buy = async (prices) => {
    const basket = new Basket();
    for (const price of prices)
        basket.add({ name: `item ${price}`, price });
    await Promise.resolve();
    return basket.total(Currency.Euro);
};
globalThis.shop = { buy, Basket, Currency };
;var Currency;
(function (Currency) {
    Currency["Euro"] = "EUR";
    Currency["Yen"] = "JPY";
})(Currency || (Currency = {}));
class Basket {
    constructor() {
        this.items = [];
    }
    add(item) {
        this.items.push(item);
        return this;
    }
    total(currency) {
        const sum = this.items.reduce((all, item) => all + checked(item), 0);
        return `${sum} ${currency}`;
    }
}
function checked(item) {
    if (item.price < 0) {
        /* 東京 */ throw new RangeError(`"${item.name}" costs less than nothing`);
    }
    return item.price;
}
const buy = async (prices) => {
    const basket = new Basket();
    for (const price of prices)
        basket.add({ name: `item ${price}`, price });
    await Promise.resolve();
    return basket.total(Currency.Euro);
};
globalThis.shop = { buy, Basket, Currency };
//# sourceMappingURL=bundle.js.map
