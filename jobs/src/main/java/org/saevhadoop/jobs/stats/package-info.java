/**
 * Statistics of activations: means and variances, norms, dead and dominant dimensions, by layer,
 * token position and label.
 *
 * <p>{@link org.saevhadoop.jobs.stats.Statistics} is the verb. A map-only job reads each value
 * once. The examples are divided into groups whose size depends only on the shape of the dataset
 * ({@link org.saevhadoop.jobs.stats.StatsLayout}), and splits begin at groups. A task writes the
 * sums of each group and layer, and the client adds them up in the order of the groups. All
 * additions are therefore in the order of the dataset, and the result has the same bits for any
 * splits, on one machine and on a cluster.
 *
 * <p>Sums of values and of their squares are compensated (Neumaier 1974), and have about twice the
 * precision of a double, so that variances are exact even where the mean is much larger than the
 * standard deviation. Values whose squares are exact are added eight at a time before that: the
 * error of a mean is at most 2^-51 times the mean absolute value, which matters only if large
 * values cancel each other. Norms are counted in buckets with fixed bounds, as in DDSketch (Masson,
 * Rim, Lee: DDSketch, VLDB 2019) with linear interpolation between powers of two: buckets of any
 * parts of the data can be added, whereas t-digest and KLL depend on the order.
 *
 * <p>Values that are not finite are counted, and left out of everything else: the statistics of a
 * dimension leave out the value, and the statistics of norms the vector.
 *
 * @see <a href="https://doi.org/10.1002/zamm.19740540106">Neumaier 1974</a>
 * @see <a href="https://arxiv.org/abs/1908.10693">DDSketch</a>
 */
@NullMarked
package org.saevhadoop.jobs.stats;

import org.jspecify.annotations.NullMarked;
