package org.saevhadoop.jobs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.ietf.jgss.GSSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.FormatException;

/** Failures of authentication, with the texts of Hadoop 3.4 and of JDK 17. */
class SecurityFailureTest {
  private static final RemoteServer SERVER =
      RemoteServer.ofFileSystem(
          "hdfs://nn:8020/acts", URI.create("hdfs://nn:8020"), false, new Configuration(false));

  @ParameterizedTest
  @CsvSource({
    "Failed to find any Kerberos tgt",
    "Ticket expired (32)",
    "Cannot find KDC for realm \"EXAMPLE.COM\"",
    "Clock skew too great (37)",
    "Connection refused"
  })
  void theReasonOfKerberosIsShownWithoutThePhrasesAroundIt(String reason) {
    GSSException cause = new GSSException(GSSException.NO_CRED, -1, reason);
    FormatException error =
        SecurityFailure.of(
            SERVER,
            new IOException(
                "DestHost:destPort nn:8020",
                new IOException(
                    "Couldn't setup connection", new SaslException("GSS initiate failed", cause))));
    assertThat(error.kind()).isEqualTo(ContactError.NOT_AUTHENTICATED);
    assertThat(error)
        .hasMessage(
            "hdfs://nn:8020/acts: the NameNode nn:8020 requires Kerberos: "
                + reason
                + " (expected a valid ticket: run kinit, see klist)");
  }

  @Test
  void aKdcThatIsSilentIsNotTakenForASilentNameNode() {
    GSSException cause = new GSSException(GSSException.NO_CRED, -1, "Receive timed out");
    cause.initCause(new SocketTimeoutException("Receive timed out"));
    assertThat(SecurityFailure.of(SERVER, new IOException(cause)))
        .hasMessageContaining("requires Kerberos: Receive timed out");
  }

  @Test
  void aServerWithoutSecurityIsReportedToASecuredClient() {
    FormatException error =
        SecurityFailure.of(
            SERVER,
            new IOException(
                new AccessControlException(
                    "Server asks us to fall back to SIMPLE auth, but this client is configured to"
                        + " only allow secure connections.")));
    assertThat(error.kind()).isEqualTo(ContactError.SECURITY_MISMATCH);
    assertThat(error).hasMessageContaining("ipc.client.fallback-to-simple-auth-allowed=true");
  }

  @Test
  void aResourceManagerIsNamedWithTheKeyOfItsPrincipal() {
    FormatException error =
        SecurityFailure.of(
            RemoteServer.resourceManager(new Configuration(false)),
            new IOException(
                new IllegalArgumentException(
                    "Server has invalid Kerberos principal: rm/a@X.ORG, expecting: rm/b@X.ORG")));
    assertThat(error)
        .hasMessageContaining("ResourceManager at 0.0.0.0:8032: Server has invalid Kerberos")
        .hasMessageContaining("rm/a@X.ORG (expected")
        .hasMessageContaining("yarn.resourcemanager.principal");
  }

  @Test
  void otherFailuresAreNoneOfAuthentication() {
    assertThat(SecurityFailure.of(SERVER, new EOFException())).isNull();
    assertThat(
            SecurityFailure.of(
                SERVER,
                new RemoteException(
                    AccessControlException.class.getName(), "Permission denied: user=alice")))
        .isNull();
  }
}
