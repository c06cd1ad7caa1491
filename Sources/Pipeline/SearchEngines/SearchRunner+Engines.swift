// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Installation
import Search
import Settings

extension SearchRunner {
    /// Searches with the labels of a classifier.
    package convenience init(_ settings: ClassifierSearchSettings, models: ModelLibrary, timeout: Duration) {
        self.init(
            ClassifierSearch(
                model: settings.model, models: models, limit: settings.top, device: settings.device,
                threads: settings.threads), timeout: timeout)
    }

    /// Searches for similar reference pictures.
    package convenience init(_ settings: IndexSearchSettings, models: ModelLibrary, timeout: Duration) {
        self.init(
            IndexSearch(
                path: settings.file, models: models, limit: settings.top, device: settings.device,
                threads: settings.threads), timeout: timeout)
    }

    /// Searches with a server.
    ///
    /// - Parameters:
    ///   - barcodes: which parts of barcode values may leave the process.
    ///   - token: returns the secret of `settings.token`; called for each search.
    package convenience init(
        _ settings: HTTPSearchSettings, barcodes: BarcodeReporting, timeout: Duration,
        token: (@Sendable () throws(SearchFailure) -> String)?
    ) {
        let server = HTTPSearch.Server(
            url: settings.url, token: token, retries: settings.retries, redirects: settings.redirects,
            privateAddresses: settings.privateAddresses, certificates: settings.caFile)
        self.init(HTTPSearch(server: server, barcodes: barcodes), timeout: timeout)
    }
}
