import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** A read and a write. Java takes the proxy's user and password from an Authenticator, after a 407. */
public class Fetch {
    public static void main(String[] words) throws Exception {
        var client = HttpClient.newBuilder()
            .proxy(ProxySelector.getDefault())
            .authenticator(new Authenticator() {
                @Override
                protected PasswordAuthentication getPasswordAuthentication() {
                    return new PasswordAuthentication("session", System.getenv("SALLYPORT_SESSION_TOKEN").toCharArray());
                }
            })
            .build();
        var uri = words[0];
        var read = client.send(HttpRequest.newBuilder(URI.create(uri + "/read")).build(), BodyHandlers.ofString());
        var post = HttpRequest.newBuilder(URI.create(uri + "/write")).POST(HttpRequest.BodyPublishers.ofString("from java"));
        var write = client.send(post.build(), BodyHandlers.ofString());
        System.out.print("{\"read\":" + read.body() + ",\"write\":" + write.body() + "}");
    }
}
