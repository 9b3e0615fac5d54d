/**
 * Statistics of activations: means and variances, norms, dead and dominant dimensions, by layer,
 * token position and label.
 *
 * <p>{@link org.saevhadoop.jobs.stats.Statistics} is the verb. A map-only job reads each value
 * once. The examples are divided into groups whose size depends only on the shape of the dataset
 * ({@link org.saevhadoop.jobs.stats.StatsLayout}), and splits begin at groups. A task writes the
 * sums of each group and layer, and the client adds them up in the order of the groups. All
 * additions are therefore in the order of the dataset, and the result is bit-identical for any
 * splits, on one machine and on a cluster.
 *
 * <p>Sums of values and of their squares are compensated (Neumaier 1974), and have about twice the
 * precision of a double, so that variances are exact even where the mean is much larger than the
 * standard deviation. Values whose squares are exact are first added in batches of eight: the error
 * of a mean is at most 2^-51 times the mean absolute value, which matters only if large values
 * cancel each other. Norms are counted in buckets with fixed bounds, as in DDSketch (Masson, Rim,
 * Lee: DDSketch, VLDB 2019) with linear interpolation between powers of two: the buckets of any
 * parts of the data can be added, whereas the results of t-digest and KLL depend on the order.
 *
 * <p>Values that are not finite are counted but excluded from everything else: statistics of a
 * dimension exclude the value, and statistics of norms exclude the whole vector.
 *
 * @see <a href="https://doi.org/10.1002/zamm.19740540106">Neumaier 1974</a>
 * @see <a href="https://arxiv.org/abs/1908.10693">DDSketch</a>
 */
@NullMarked
package org.saevhadoop.jobs.stats;

import org.jspecify.annotations.NullMarked;
