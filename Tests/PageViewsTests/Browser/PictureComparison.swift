import BridgeValues
import Foundation

/// The difference of two pictures, as a browser decodes and compares them.
///
/// Each pixel is first the mean of the nine around it. It fits if each of its channels is in the range of the nine pixels
/// around its place in the other picture, which is wider by half of their difference and by 1.5 of 255. So the smoothing
/// of letters may change, as it does with the version of a browser: letters that are shifted by 0.4 px differ in a few
/// pixels. A change of a color by 1 %, or a shift of a text by 2 px, differs in more than a hundred.
struct PictureComparison {
    /// The number of pixels of one picture that do not fit the other.
    let count: Int
    /// The second picture in gray, with the pixels that do not fit in red.
    let picture: Data

    private static let script = """
        async (first, second) => {
            const load = async (text) => {
                const image = new Image();
                image.src = 'data:image/png;base64,' + text;
                await image.decode();
                const { width, height } = image;
                const canvas = Object.assign(document.createElement('canvas'), { width, height });
                const context = canvas.getContext('2d', { willReadFrequently: true });
                context.drawImage(image, 0, 0);
                const { data } = context.getImageData(0, 0, width, height);
                const blurred = new Float32Array(data.length);
                for (let place = 0; place < width * height; place++) {
                    const places = near(place, width, height);
                    for (let channel = 0; channel < 3; channel++) {
                        blurred[4 * place + channel] = places.reduce((sum, place) => sum + data[4 * place + channel], 0) / 9;
                    }
                }
                return { width, height, canvas, context, data, blurred };
            };
            const around = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down]));
            const inside = (value, count) => Math.min(Math.max(value, 0), count - 1);
            const near = (place, width, height) => around.map(([right, down]) =>
                inside(Math.floor(place / width) + down, height) * width + inside(place % width + right, width));
            const one = await load(first), other = await load(second);
            const { width, height } = other;
            if (one.width !== width || one.height !== height) return [width * height, second];
            const fits = (pixels, others, place) => [0, 1, 2].every((channel) => {
                const value = pixels[4 * place + channel];
                if (value === others[4 * place + channel]) return true;
                const range = near(place, width, height).map((place) => others[4 * place + channel]);
                const low = Math.min(...range), high = Math.max(...range), slack = 1.5 + (high - low) / 2;
                return value >= low - slack && value <= high + slack;
            });
            const image = other.context.createImageData(width, height);
            let count = 0;
            for (let place = 0; place < width * height; place++) {
                const at = 4 * place;
                const isFit = fits(one.blurred, other.blurred, place) && fits(other.blurred, one.blurred, place);
                if (!isFit) count++;
                const gray = 128 + (other.data[at] + other.data[at + 1] + other.data[at + 2]) / 6;
                image.data.set(isFit ? [gray, gray, gray, 255] : [220, 0, 0, 255], at);
            }
            other.context.putImageData(image, 0, 0);
            return [count, other.canvas.toDataURL('image/png').split(',')[1]];
        }
        """

    /// Compares two pictures in PNG.
    ///
    /// - Parameters:
    ///   - first: A picture.
    ///   - second: The other one.
    ///   - page: A page that compares, without a policy against pictures in addresses.
    /// - Throws: ``BrowserError``.
    init(_ first: Data, _ second: Data, in page: BrowserPage) async throws {
        let pictures = [first, second].map { "'\($0.base64EncodedString())'" }
        let result = try await page.evaluate("(\(Self.script))(\(pictures.joined(separator: ", ")))")
        count = result[0].integer ?? .max
        picture = Data(base64Encoded: result[1].stringValue ?? "") ?? Data()
    }
}
