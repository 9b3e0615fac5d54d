package org.saevhadoop.jobs.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * A job that was submitted.
 *
 * @param step the step of the verb, such as {@code convert} or {@code unpack}
 * @param name the name under which a cluster lists the job
 * @param application the id of its application on YARN; null if it runs in this process
 * @param trackingUrl the page of the application; null if it runs in this process
 */
@PublicApi
public record RunningJob(
    String step,
    String name,
    @Nullable String application,
    @JsonIgnore @Nullable String trackingUrl) {}
